package io.cleat.processtests;

import io.cleat.csi.v1.NodeServiceCapability;
import io.cleat.testkit.FakeCsiPlugin;
import io.cleat.testkit.FakeCsiSetup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * A plugin in a process of its own that does with each volume what its id says ({@link HostileEffects}). Arguments: its
 * pool, the victims' directory, and a file with its volumes' ids.
 */
final class HostilePlugin {
    private HostilePlugin() {}

    public static void main(String[] arguments) throws Exception {
        Path socket = Path.of(System.getenv("CSI_ENDPOINT").replace("unix://", ""));
        FakeCsiPlugin plugin = FakeCsiPlugin.start(
                socket.resolveSibling("before"),
                FakeCsiSetup.standard()
                        .withoutController()
                        .withCapabilities(Set.of(), Set.of(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME))
                        .withEffects(new HostileEffects(Path.of(arguments[0]), Path.of(arguments[1]))));
        for (String id : Files.readAllLines(Path.of(arguments[2]))) {
            plugin.addVolume(id, 1 << 20);
        }
        Files.move(socket.resolveSibling("before"), socket, StandardCopyOption.REPLACE_EXISTING);
        new CountDownLatch(1).await();
    }
}
