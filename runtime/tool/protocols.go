package tool

// Cause says why the data of a long message comes to this rank by the protocol that it comes by.
type Cause uint8

// The causes.
const (
	NoData         Cause = iota // no data is wanted
	NoSharedMemory              // the peers have no memory in common
	GapsAtSender
	NoSingleCopy
	ManyCopies
	SenderAway
	BySetting
	Measured
	Causes // how many there are
)

// causes tells of each its name and what it is, as the ending of a sentence.
var causes = [Causes]struct{ name, help string }{
	NoData:         {"no_data", "no data was wanted"},
	NoSharedMemory: {"no_shared_memory", "the sender is on another node"},
	GapsAtSender:   {"gaps", "the data has gaps at the sender"},
	NoSingleCopy:   {"no_single_copy", "the kernel does not let this rank read the sender's memory"},
	ManyCopies:     {"many_copies", "many copies were under way that both sides carry out"},
	SenderAway:     {"sender_away", "the sender was not in MPI"},
	BySetting:      {"setting", "GOMPI_RENDEZVOUS says so"},
	Measured:       {"measured", "it has been the quickest, or was tried"},
}

// Announcement says why the sender of a message has announced it.
type Announcement uint8

// Why a message is announced.
const (
	NotAnnounced Announcement = iota
	TooLong                   // for a packet, or for the setting
	ReceiverFull
	ReceiverWants
	Announcements // how many there are
)

// announcements tells of each its name and what it is, as the ending of a sentence.
var announcements = [Announcements]struct{ name, help string }{
	TooLong:       {"too_long", "they are longer than GOMPI_EAGER, or than a packet"},
	ReceiverFull:  {"receiver_full", "the receiver had buffered much that no receive was posted for"},
	ReceiverWants: {"receiver_wants", "the receiver has found that quicker"},
}

// protocolChoices lists the performance variables of the choices.
func protocolChoices() (list []Performance) {
	for a := TooLong; a < Announcements; a++ {
		list = append(list, Performance{"announced_" + announcements[a].name,
			"messages that this rank has announced because " + announcements[a].help, "p2p", NoObject, Counter,
			Unsigned, func(n *Counters) uint64 { return n.Announced[a] }})
	}
	for c := range causes {
		list = append(list, Performance{"rendezvous_because_" + causes[c].name,
			"messages that came by the protocol that they did because " + causes[c].help, "p2p", NoObject, Counter,
			Unsigned, func(n *Counters) uint64 { return n.Chosen[c] }})
	}
	return list
}
