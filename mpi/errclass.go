package mpi

import (
	"fmt"

	"gompi/runtime/mpierr"
)

// Error classes, codes and their texts, the program's own included (MPI 5.0, 9.4 and 9.5).

// errorCodes are those that the program added.
var errorCodes mpierr.Added

// classOf is the class of an error code; MPI_ERR_UNKNOWN for what is none.
func classOf(code int) mpierr.Class {
	if mpierr.Class(code).Predefined() {
		return mpierr.Class(code)
	}
	if class, _, ok := errorCodes.Lookup(code); ok {
		return class
	}
	return mpierr.ErrUnknown
}

func knownCode(code int) error {
	if _, _, ok := errorCodes.Lookup(code); ok || mpierr.Class(code).Predefined() {
		return nil
	}
	return mpierr.New(mpierr.ErrArg, "errorcode %d is no error code", code)
}

// textOfCode is what MPI_Error_string says about a code. One that was added and has no text yet has an empty
// one (MPI 5.0, 9.5).
func textOfCode(code int) string {
	if _, text, ok := errorCodes.Lookup(code); ok {
		return text
	}
	if mpierr.Class(code).Predefined() {
		return textOf(mpierr.Class(code))
	}
	return fmt.Sprintf("unknown error code %d", code)
}

func ErrorString(code int) (string, error) {
	if err := knownCode(code); err != nil {
		return "", err
	}
	return textOfCode(code), nil
}

func ErrorClass(code int) (int, error) { return int(classOf(code)), knownCode(code) }

func AddErrorClass() (int, error) { return errorCodes.AddClass(), nil }

func AddErrorCode(class int) (int, error) { return errorCodes.AddCode(class) }

func AddErrorString(code int, text string) error {
	if len(text) >= MaxErrorString {
		return mpierr.New(mpierr.ErrArg, "string has %d characters, at most %d are allowed", len(text), MaxErrorString-1)
	}
	return errorCodes.SetText(code, text)
}

func RemoveErrorClass(class int) error { return errorCodes.Remove(class, true) }

func RemoveErrorCode(code int) error { return errorCodes.Remove(code, false) }

func RemoveErrorString(code int) error { return errorCodes.SetText(code, "") }
