package api

// Kind is what a parameter means, as far as its C type and the checks of its value depend on it.
type Kind struct {
	Small string // C type of one value in the function itself, MPI_ left out of MPI types
	Large string // the same in the large-count twin
	Means string
}

// Poly reports whether the two twins have different C types for this kind.
func (k Kind) Poly() bool { return k.Small != k.Large }

// Kinds are all kinds of parameters but callbacks.
var Kinds = map[string]Kind{
	"count":   {"int", "Count", "number of elements, not negative"},
	"num":     {"int", "Count", "number of elements, any value"},
	"bytes":   {"int", "Count", "number of bytes, not negative"},
	"displ":   {"int", "Aint", "displacement in elements or displacement unit"},
	"adispl":  {"Aint", "Count", "displacement or size in bytes"},
	"aint":    {"Aint", "Aint", "address, displacement or size in bytes"},
	"offset":  {"Offset", "Offset", "offset in a file"},
	"mcount":  {"Count", "Count", "count in both twins"},
	"int":     {"int", "int", "integer without a check"},
	"index":   {"int", "int", "index of an array: from 0 in C, from 1 in Fortran"},
	"weights": {"int", "int", "weight of an edge; the array may be MPI_UNWEIGHTED or MPI_WEIGHTS_EMPTY"},
	"fint":    {"Fint", "Fint", "Fortran integer"},
	"len":     {"int", "int", "length of an array, not negative"},
	"flag":    {"int", "int", "truth value"},
	"keyval":  {"int", "int", "attribute key"},
	"errcode": {"int", "int", "error code or class"},
	"rank":    {"int", "int", "rank, checked by the operation"},
	"dest":    {"int", "int", "rank in comm, or MPI_PROC_NULL"},
	"source":  {"int", "int", "rank in comm, MPI_ANY_SOURCE or MPI_PROC_NULL"},
	"root":    {"int", "int", "root of a collective operation"},
	"target":  {"int", "int", "rank in the group of a window, or MPI_PROC_NULL"},
	"tag":     {"int", "int", "tag of a message, 0 to MPI_TAG_UB"},
	"anytag":  {"int", "int", "tag of a message or MPI_ANY_TAG"},
	"range":   {"int", "int", "triplet of ranks: first, last, stride"},

	"comm":    {"Comm", "Comm", "communicator"},
	"group":   {"Group", "Group", "group"},
	"type":    {"Datatype", "Datatype", "datatype"},
	"op":      {"Op", "Op", "reduction operation"},
	"errh":    {"Errhandler", "Errhandler", "error handler"},
	"info":    {"Info", "Info", "info object or MPI_INFO_NULL"},
	"request": {"Request", "Request", "request"},
	"message": {"Message", "Message", "matched message"},
	"win":     {"Win", "Win", "window"},
	"file":    {"File", "File", "file"},
	"anyfile": {"File", "File", "file or MPI_FILE_NULL, as the holder of an error handler"},
	"session": {"Session", "Session", "session"},

	"tenum":     {"T_enum", "T_enum", "enumeration of the tool interface"},
	"cvar":      {"T_cvar_handle", "T_cvar_handle", "handle of a control variable"},
	"pvar":      {"T_pvar_handle", "T_pvar_handle", "handle of a performance variable"},
	"pvsession": {"T_pvar_session", "T_pvar_session", "session of performance variables"},
	"evreg":     {"T_event_registration", "T_event_registration", "registration of an event"},
	"evinst":    {"T_event_instance", "T_event_instance", "instance of an event"},
	"cbsafety":  {"T_cb_safety", "T_cb_safety", "what a callback may do"},
	"srcorder":  {"T_source_order", "T_source_order", "order of a source's events"},

	"status":  {"Status", "Status", "status, or MPI_STATUS(ES)_IGNORE"},
	"buf":     {"void", "void", "message buffer"},
	"cbuf":    {"void", "void", "message buffer or MPI_IN_PLACE"},
	"mem":     {"void", "void", "memory of no datatype"},
	"ptr":     {"void", "void", "address that is stored or returned"},
	"str":     {"char", "char", "string"},
	"argv":    {"char *", "char *", "strings, the last one NULL"},
	"argvs":   {"char **", "char **", "arrays of strings"},
	"argvp":   {"char ***", "char ***", "address of argv of main"},
	"varargs": {"...", "...", "further arguments"},
}

// Handles are the kinds that are handles of MPI objects.
var Handles = map[string]bool{"comm": true, "group": true, "type": true, "op": true, "errh": true, "info": true,
	"request": true, "message": true, "win": true, "file": true, "anyfile": true, "session": true}

// ToolHandles are the kinds that are opaque handles of the tool interface (MPI 5.0, 15.3).
var ToolHandles = map[string]bool{"tenum": true, "cvar": true, "pvar": true, "pvsession": true, "evreg": true, "evinst": true}
