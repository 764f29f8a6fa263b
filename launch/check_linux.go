package launch

import (
	"errors"
	"fmt"
	"os"
)

// Check does of a job what comes ahead of its start: it finds the programs, and says what is wrong with
// them. It returns the exit code for the launcher.
func Check(spec *Spec) int {
	for i := range spec.Apps {
		app := &spec.Apps[i]
		_, err := app.lookup()
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", spec.Name, err)
			var e *startError
			if errors.As(err, &e) {
				return e.code
			}
			return ExitSetup
		}
	}
	return 0
}
