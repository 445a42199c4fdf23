// The only script. Pages work without it.
"use strict";
