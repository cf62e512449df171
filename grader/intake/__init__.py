"""Reading submissions: from a file, a folder or an archive into memory, safely, and from a download into a plan."""
