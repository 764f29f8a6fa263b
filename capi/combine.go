package main

// #include "combine.h"
import "C"

import (
	"gompi/runtime/datatype"
	"gompi/runtime/fast"
	"gompi/runtime/op"
)

// openReductions tells the C stubs which predefined datatypes each operation accepts, and as what kind of element.
func openReductions() {
	elements := [datatype.Basics]C.uint8_t{
		datatype.Int8: fast.ElementInt8, datatype.Uint8: fast.ElementUint8, datatype.Logical8: fast.ElementUint8,
		datatype.Int16: fast.ElementInt16, datatype.Uint16: fast.ElementUint16, datatype.Logical16: fast.ElementUint16,
		datatype.Int32: fast.ElementInt32, datatype.Uint32: fast.ElementUint32, datatype.Logical32: fast.ElementUint32,
		datatype.Int64: fast.ElementInt64, datatype.Uint64: fast.ElementUint64, datatype.Logical64: fast.ElementUint64,
		datatype.Float32: fast.ElementFloat, datatype.Float64: fast.ElementDouble,
	}
	for _, o := range op.All() {
		for _, t := range datatype.All() {
			if o.Collective() && t.Size() == t.Extent() && o.Valid(t) {
				C.gompi_reductions[o.Handle()-C.GOMPI_FIRST_OP][t.Handle()-typeNull] = elements[t.Basic()]
			}
		}
	}
}
