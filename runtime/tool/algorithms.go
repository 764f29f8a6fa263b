package tool

// Algorithm is how a collective operation goes between its ranks.
type Algorithm uint8

// The algorithms. An operation goes by one of them: one that is made of others, such as that over several
// nodes, is counted as itself alone.
const (
	Alone         Algorithm = iota // nobody else is needed
	Cells                          // published at once in cells of shared memory
	AtRoot                         // published in shared memory for one rank, which combines all
	Steps                          // published in shared memory in steps
	SingleCopy                     // read out of the other ranks' memory
	NbcCells                       // published in cells of shared memory, by operations that do not block
	Dissemination                  // the following by messages
	Binomial
	Doubling
	Halving
	Ring
	Chain
	Bruck
	Pairwise
	Straight
	OverNodes  // made of operations within nodes and between one rank of each, its leader
	Rails      // made of operations within nodes and between ranks of equal index on their nodes
	Across     // between the two groups of an intercommunicator
	Algorithms // how many there are
)

// algorithms tells of each its name and what it is, as the ending of a sentence.
var algorithms = [Algorithms]struct{ name, help string }{
	Alone:         {"alone", "needed nobody else: of a single rank, or without data"},
	Cells:         {"cells", "went through cells of shared memory at once"},
	AtRoot:        {"at_root", "went through shared memory to one rank, which combined all"},
	Steps:         {"steps", "went through shared memory in steps"},
	SingleCopy:    {"single_copy", "read data out of other ranks' memory"},
	NbcCells:      {"nonblocking_cells", "went through cells of shared memory: nonblocking and persistent ones and those among neighbors"},
	Dissemination: {"dissemination", "went by messages, in rounds of double distance to all (dissemination)"},
	Binomial:      {"binomial", "went by messages, up or down a binomial tree"},
	Doubling:      {"doubling", "went by messages between groups of double size (recursive doubling)"},
	Halving:       {"halving", "went by messages of half the size each, sharing the work of combining (Rabenseifner)"},
	Ring:          {"ring", "went by messages round a ring"},
	Chain:         {"chain", "went by messages from each rank to the next in pieces, all of them at work at once (pipeline)"},
	Bruck:         {"bruck", "went by messages by Bruck's algorithm"},
	Pairwise:      {"pairwise", "went by messages, every two ranks exchanging what they have for each other"},
	Straight:      {"straight", "went by messages straight from where data is to where it is wanted"},
	OverNodes:     {"over_nodes", "were made of operations within nodes and between nodes"},
	Rails:         {"rails", "were made of operations within nodes and along rails, which join ranks of equal index on their nodes"},
	Across:        {"across", "went between the two groups of an intercommunicator"},
}

// String is the name of the algorithm.
func (a Algorithm) String() string { return algorithms[a].name }
