package io.cleat.kernel;

import io.cleat.base.Ordered;
import java.nio.file.Path;
import java.util.Set;

/** One mounted tree of control groups. */
sealed interface Hierarchy {
    /** Where it is mounted. */
    Path root();

    /** Version 1: a tree per controller. */
    record Version1(Path root, Set<String> controllers) implements Hierarchy {
        public Version1 {
            controllers = Ordered.copyOf(controllers);
        }
    }

    /** Version 2: one tree; its controllers are asked for group by group. */
    record Version2(Path root) implements Hierarchy {}
}
