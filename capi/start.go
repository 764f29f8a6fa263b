package main

// #include "start.h"
import "C"

import _ "gompi/capi/asm" // the constructor

// The constructor jumps to gompi_start, which the linker knows by this mention.
var _ = C.gompi_constructor(C.gompi_start)
