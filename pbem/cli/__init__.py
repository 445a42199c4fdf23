"""The command line, for operators: one module for each group of commands.

`--help` and mistakes must be quick, so modules here import at their top only what is light. The
service is imported inside of commands, after the settings have been found.
"""
