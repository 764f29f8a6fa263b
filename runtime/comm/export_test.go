package comm

// Harm marks c as one that this rank alone knows to be revoked: the news is on its way to the others.
func (c *Comm) Harm() { c.hurt.Store(true) }
