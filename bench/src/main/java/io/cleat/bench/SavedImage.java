package io.cleat.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An image in one file, as {@code docker save} writes it.
 *
 * @param layers its archives, the lowest first
 */
record SavedImage(Path archive, List<Path> layers) {
    private static final int PIECE = 1 << 16;

    SavedImage {
        layers = List.copyOf(layers);
    }

    /**
     * Packs one.
     *
     * @param scratch where it is made
     * @param trees what is in each layer, the lowest first
     * @param isPacked whether layers are compressed by gzip
     */
    static SavedImage of(Path scratch, String name, List<Path> trees, boolean isPacked) throws Exception {
        Path parts = Files.createDirectories(scratch.resolve(name));
        List<Path> layers = new ArrayList<>();
        List<String> digests = new ArrayList<>();
        for (Path tree : trees) {
            Path layer = parts.resolve("layer-" + layers.size() + ".tar");
            Commands.run("tar", "--owner=0", "--group=0", "-C", tree.toString(), "-cf", layer.toString(), ".");
            digests.add("\"sha256:" + sha256(layer) + "\"");
            if (isPacked) {
                Commands.run("gzip", "-1", layer.toString());
                layer = parts.resolve(layer.getFileName() + ".gz");
            }
            layers.add(layer);
        }
        Files.writeString(parts.resolve("config.json"), """
                {"architecture":"%s","os":"linux","config":{},"rootfs":{"type":"layers","diff_ids":[%s]}}
                """.formatted(architecture(), String.join(",", digests)));
        String names =
                layers.stream().map(layer -> "\"" + layer.getFileName() + "\"").collect(Collectors.joining(","));
        Files.writeString(parts.resolve("manifest.json"), """
                [{"Config":"config.json","RepoTags":["bench:1"],"Layers":[%s]}]
                """.formatted(names));
        Path archive = scratch.resolve(name + ".tar");
        Commands.run("tar", "-C", parts.toString(), "-cf", archive.toString(), ".");
        return new SavedImage(archive, layers);
    }

    private static String architecture() {
        return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    }

    private static String sha256(Path file) throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        byte[] piece = new byte[PIECE];
        try (InputStream in = Files.newInputStream(file)) {
            for (int got = in.read(piece); got >= 0; got = in.read(piece)) {
                digest.update(piece, 0, got);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
