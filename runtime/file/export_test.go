package file

// What tests need to see.

// Native is the representation of memory.
func Native() *Representation { return native }

// External is the representation "external32".
func External() *Representation { return predefinedRepresentations()[2] }
