// Package check is the memory of GOMPI_CHECK: where the program has called MPI, which memory operations under
// way use, and what has been said already. It knows neither handles nor the engine that carries out
// operations. docs/checks.md lists what is found.
package check
