package io.cleat.kernel;

import java.nio.file.Path;

/**
 * A path in two parts: a root of ours, which is trusted, and plain names below it, where no link is ever followed and
 * nothing above is ever reached.
 *
 * @param root absolute
 * @param below names with single slashes between them; empty for the root itself
 */
public record Place(Path root, String below) {
    public Place {
        if (!root.isAbsolute()) {
            throw new IllegalArgumentException("the root " + root + " is not absolute");
        }
        for (String name : below.isEmpty() ? new String[0] : below.split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf(0) >= 0) {
                throw new IllegalArgumentException("'" + below + "' is not a path of plain names below " + root);
            }
        }
    }

    /**
     * {@code path}, seen from {@code root}.
     *
     * @throws IllegalArgumentException if it does not lie there
     */
    public static Place of(Path root, Path path) {
        if (!path.startsWith(root)) {
            throw new IllegalArgumentException(path + " does not lie below " + root);
        }
        return new Place(root, root.relativize(path).toString());
    }

    /** The entry of that name in this directory. */
    public Place child(String name) {
        return new Place(root, below.isEmpty() ? name : below + "/" + name);
    }

    /** The whole path. */
    public Path path() {
        return below.isEmpty() ? root : root.resolve(below);
    }

    @Override
    public String toString() {
        return path().toString();
    }
}
