package io.cleat.processtests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The bridge of the networks that this JVM's agents make: rules are by address, and other runs on this machine have
 * theirs.
 */
final class OwnBridge {
    private static final long PID = ProcessHandle.current().pid();

    static final String NAME = "cleat-t" + PID % 10_000;
    static final String SUBNET = "172.29." + PID % 250 + ".0/24";
    static final String SUBNET6 = "fd00:29:" + PID % 250 + "::/64";

    /** Where its addresses are written down. */
    static final Path ADDRESSES = Path.of("/var/lib/cni/networks", NAME);

    private OwnBridge() {}

    /** Takes it away with the addresses that are written down of it; it need not be there. */
    static void remove() throws IOException, InterruptedException {
        new ProcessBuilder("ip", "link", "delete", NAME)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (Files.isDirectory(ADDRESSES)) {
            try (Stream<Path> files = Files.list(ADDRESSES)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(ADDRESSES);
        }
    }
}
