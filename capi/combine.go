package main

// #include "combine.h"
import "C"

import (
	"gompi/runtime/datatype"
	"gompi/runtime/op"
	"gompi/shm"
)

// openReductions tells the C stubs which predefined datatypes each operation accepts, and as what kind of element.
func openReductions() {
	elements := [datatype.Basics]C.uint8_t{
		datatype.Int8: shm.ElementInt8, datatype.Uint8: shm.ElementUint8, datatype.Logical8: shm.ElementUint8,
		datatype.Int16: shm.ElementInt16, datatype.Uint16: shm.ElementUint16, datatype.Logical16: shm.ElementUint16,
		datatype.Int32: shm.ElementInt32, datatype.Uint32: shm.ElementUint32, datatype.Logical32: shm.ElementUint32,
		datatype.Int64: shm.ElementInt64, datatype.Uint64: shm.ElementUint64, datatype.Logical64: shm.ElementUint64,
		datatype.Float32: shm.ElementFloat, datatype.Float64: shm.ElementDouble,
	}
	for _, o := range op.All() {
		for _, t := range datatype.All() {
			if o.Collective() && t.Size() == t.Extent() && o.Valid(t) {
				C.gompi_reductions[o.Handle()-C.GOMPI_FIRST_OP][t.Handle()-typeNull] = elements[t.Basic()]
			}
		}
	}
}
