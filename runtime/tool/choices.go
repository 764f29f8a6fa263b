package tool

// Choice is a decision between several ways to do the same, which the library takes by itself. Results do not
// depend on it.
type Choice struct {
	Name      string
	Ways      string   // between which it decides
	Measures  string   // what it goes by
	When      string   // it is taken
	Settings  []string // that pin it; none if nothing does
	Variables []string // of MPI_T that show it; none if gompi-info alone does
	Shown     string   // the option of gompi-info that shows what it comes to here, "" if there is none
}

const onTraffic = "all the time, on the program's own operations"

// Choices lists them.
func Choices() []Choice {
	return []Choice{
		{"protocol of a message of more than 16 KiB", "eager, read, pipeline, both",
			"each message, by size and by whether this rank sends as well or ranks share cores", onTraffic,
			[]string{"GOMPI_EAGER", "GOMPI_RENDEZVOUS"},
			[]string{"rendezvous_read", "rendezvous_pipeline", "rendezvous_both"}, "--measure"},
		{"algorithm of a collective operation", "those of its row in the table of algorithms",
			"the size, the ranks and where they are", "at each operation", []string{"GOMPI_COLLECTIVES"},
			[]string{"collectives_cells", "collectives_steps"}, "--collectives"},
		{"long data of a blocking collective operation", "shared memory, single copies by the kernel",
			"whole operations, by kind and size, for each communicator", onTraffic,
			[]string{"GOMPI_COLLECTIVE_COPY", "GOMPI_COLLECTIVES"},
			[]string{"collectives_steps", "collectives_single_copy"}, "--measure"},
		{"copy of 8 KiB or more in shared memory", "string moves, vector loops", "both, for 8 KiB",
			"before the first one", nil, nil, "--measure"},
		{"size of the area for long messages", "bytes", "the sizes of the caches, which the kernel tells",
			"before the first long message", []string{"GOMPI_SEND_AREA"}, nil, ""},
		{"polls of a wait before the rank sleeps", "a number", "one poll once, then each wake-up", onTraffic,
			[]string{"GOMPI_SPIN"}, []string{"sleeps", "time_asleep"}, ""},
		{"yields of a wait where ranks share cores", "yields, none for a while",
			"each yield and, after a long one, which processes have run", onTraffic, []string{"GOMPI_SPIN"}, nil,
			""},
		{"put or get of private memory of a window", "active message, copy by the kernel",
			"operations of up to 8 KiB, by size, and whether the target answers in time", onTraffic,
			[]string{"GOMPI_SINGLE_COPY"}, nil, ""},
	}
}
