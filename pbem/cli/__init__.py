"""The command line for operators, with one module per group of commands.

`--help` and error messages must be quick, so modules here import only lightweight modules at the
top. The service is imported inside commands, after the settings have been found.
"""
