package io.cleat.kernel;

import java.nio.file.Path;
import java.util.List;

/** The same, resolving step by step as on kernels without openat2. */
class WalkingPathsTest extends PathsTest {
    @Override
    protected List<String> command(Path shim) {
        return List.of(shim.toString(), "path", "walk");
    }
}
