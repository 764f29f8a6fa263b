package launch

// names is the directory of published services (MPI 5.0, 11.4.4). It belongs to the job: its worlds find each
// other through it.
type names map[string]string

// publish enters a service; false when somebody holds the name already.
func (n names) publish(service, port string) bool {
	if _, taken := n[service]; taken {
		return false
	}
	n[service] = port
	return true
}

// unpublish withdraws a service; false when there is none of that name.
func (n names) unpublish(service string) bool {
	if _, known := n[service]; !known {
		return false
	}
	delete(n, service)
	return true
}
