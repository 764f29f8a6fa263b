package file

// What tests need to see.

// Native is the representation of memory.
func Native() *Representation { return native }
