package io.cleat.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * {@code exec} keeps the contract with crun too. Where a cgroup2 with controllers stands beside version 1, which crun
 * refuses, it is called in a mount namespace without that.
 */
class CrunDriverTest extends ExecDriverTest {
    @Override
    protected List<Path> path() throws Exception {
        Path crun = Path.of("/usr/bin/crun");
        Assumptions.assumeTrue(Files.isExecutable(crun), "reason: crun is not installed");
        Path directory = Files.createDirectories(root.resolve("path"));
        Path wrapper = directory.resolve("crun");
        if (!Files.exists(wrapper)) {
            Files.writeString(wrapper, """
                    #!/bin/sh
                    exec unshare -m --propagation unchanged sh -c '
                      if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi
                      exec /usr/bin/crun "$@"' crun "$@"
                    """);
            wrapper.toFile().setExecutable(true);
        }
        return List.of(directory);
    }

    /** What goes over a connection is the shim's, whichever runtime made the container. */
    @Override
    void aHundredMegabytesComeBackAsTheyWentAndTwoHundredCommandsRunAtOnce() {}
}
