package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.DiskTrouble;
import io.cleat.base.SystemTime;
import io.cleat.kernel.LoopDevices;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** What lies on the machine below one directory: mounts, loop devices, files. */
final class Ground {
    private final Path directory;
    private final Mounts mounts = Mounts.linux();
    private final LoopDevices loops = LoopDevices.linux(new SystemTime());

    Ground(Path directory) {
        this.directory = directory;
    }

    static void needsMounting() {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "reason: mounting needs root");
    }

    static void needsImages() {
        needsMounting();
        Assumptions.assumeTrue(Files.exists(Path.of("/dev/loop-control")), "reason: this kernel has no loop devices");
        for (VolumeType type : VolumeType.values()) {
            try {
                new Images(new Programs()).requireMakeable(type);
                new Images(new Programs()).requireMountable(type);
            } catch (CallRefused | DiskTrouble cannot) {
                Assumptions.abort("reason: " + cannot.getMessage() + "; ./dev setup -y brings programs");
            }
        }
    }

    List<String> mounted() throws Exception {
        return MountTable.readTwice().atOrBelow(directory).stream()
                .map(Mount::target)
                .toList();
    }

    List<Path> attached() throws Exception {
        List<Path> attached = new ArrayList<>();
        for (Path image : images()) {
            if (loops.find(image).isPresent()) {
                attached.add(image);
            }
        }
        return attached;
    }

    private List<Path> images() throws IOException {
        List<Path> images = new ArrayList<>();
        for (String below : List.of("pool/volumes", "pool/snapshots", "pool/trash")) {
            Path found = directory.resolve(below);
            if (Files.isDirectory(found)) {
                try (Stream<Path> all = Files.walk(found, 2)) {
                    images.addAll(all.filter(path -> path.endsWith("image")).toList());
                }
            }
        }
        return images;
    }

    List<String> entries(String of) throws IOException {
        try (Stream<Path> all = Files.list(directory.resolve(of))) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    void assertNothingLeft() throws Exception {
        assertEquals(List.of(), mounted());
        assertEquals(List.of(), attached());
        assertEquals(List.of(), entries("pool/volumes"));
        assertEquals(List.of(), entries("pool/snapshots"));
        assertEquals(List.of(), entries("pool/groups"));
        assertEquals(List.of(), entries("pool/trash"));
    }

    /** Takes away what a failed test left, so that its directory can be removed. */
    void clear() throws Exception {
        Path pool = directory.resolve("pool");
        for (String target : mounted().reversed()) {
            if (!Path.of(target).equals(pool)) {
                mounts.detach(Path.of(target));
            }
        }
        for (Path image : attached()) {
            loops.detach(image);
        }
        while (mounted().contains(pool.toString())) {
            mounts.detach(pool);
        }
    }
}
