package io.cleat.processtests;

import io.cleat.csi.v1.NodeServiceCapability;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.testkit.FakeCsiPlugin;
import io.cleat.testkit.FakeCsiSetup;
import io.cleat.testkit.FuseEffects;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/**
 * A plugin in a process of its own, whose volumes are FUSE file systems that die with it. Arguments: the directory of
 * the volumes' directories, a directory to build in, and the agent's directory, below which it finds what it had
 * mounted before; then "counting" for a driver that unpublishes nothing that a task has mounted.
 */
final class FusePlugin {
    private FusePlugin() {}

    public static void main(String[] arguments) throws Exception {
        Path pool = Path.of(arguments[0]);
        Path build = Files.createTempDirectory(Path.of(arguments[1]), "fuse");
        Path agent = Path.of(arguments[2]);
        FuseEffects effects = FuseEffects.over(pool, build);
        if (List.of(arguments).contains("counting")) {
            effects.countingUsers(path -> path.startsWith(agent) && !path.startsWith(agent.resolve("client/csi")));
        }
        Path socket = Path.of(System.getenv("CSI_ENDPOINT").replace("unix://", ""));
        FakeCsiPlugin plugin = FakeCsiPlugin.start(
                socket.resolveSibling("before"),
                FakeCsiSetup.standard()
                        .withoutController()
                        .withCapabilities(Set.of(), Set.of(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME))
                        .withEffects(effects));
        try (var volumes = Files.newDirectoryStream(pool)) {
            for (Path volume : volumes) {
                String id = String.valueOf(volume.getFileName());
                plugin.addVolume(id, 1 << 20);
                adopt(plugin, id, MountTable.readTwice().atOrBelow(agent));
            }
        }
        // Nobody may ask before it remembers.
        Files.move(socket.resolveSibling("before"), socket, StandardCopyOption.REPLACE_EXISTING);
        new CountDownLatch(1).await();
    }

    private static void adopt(FakeCsiPlugin plugin, String id, List<Mount> mounts) {
        List<Path> places = mounts.stream()
                .filter(mount -> mount.fsType().startsWith("fuse"))
                .map(mount -> Path.of(mount.target()))
                .toList();
        for (Path staging : places) {
            if (staging.endsWith("staging/default/" + id)) {
                List<Path> targets = places.stream()
                        .filter(place -> place.toString().contains("/per-alloc/"))
                        .filter(place -> place.toString().contains("/" + id + "/"))
                        .toList();
                plugin.adopt(id, staging, targets);
            }
        }
    }
}
