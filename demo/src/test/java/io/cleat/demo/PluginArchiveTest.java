package io.cleat.demo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An image as it is packed, by the very program. */
class PluginArchiveTest {
    private static final String LAYER = "a".repeat(64);
    private static final String CONFIG = "b".repeat(64);
    private static final String MANIFEST = "c".repeat(64);

    @TempDir
    Path directory;

    private Path layout;

    @BeforeEach
    void layOut() throws Exception {
        layout = Files.createDirectories(directory.resolve("layout/blobs/sha256"));
        put(LAYER, "the layer, of a length that is no multiple of a block's");
        put(CONFIG, """
                {"config":{"Entrypoint":["/bin/java","-cp","/opt/*"],"Env":["PATH=/bin","A=b"]}}""");
        put(MANIFEST, """
                {"config":{"digest":"sha256:%s"},"layers":[{"digest":"sha256:%s"}]}""".formatted(CONFIG, LAYER));
        Files.writeString(directory.resolve("layout/index.json"), """
                {"manifests":[{"digest":"sha256:%s"}]}""".formatted(MANIFEST));
    }

    private void put(String digest, String content) throws Exception {
        Files.writeString(layout.resolve(digest), content);
    }

    private Path packed() throws Exception {
        Path archive = directory.resolve("image.tar");
        Process tar = new ProcessBuilder(
                        "tar", "-C", directory.resolve("layout").toString(), "-cf", archive.toString(), ".")
                .inheritIO()
                .start();
        assertEquals(0, tar.waitFor());
        return archive;
    }

    @Test
    void itsLayerAndItsConfigurationAreRead() throws Exception {
        PluginArchive.Content content = PluginArchive.read(packed());
        assertArrayEquals(
                "the layer, of a length that is no multiple of a block's".getBytes(StandardCharsets.US_ASCII),
                content.layer());
        assertEquals(
                List.of("ENTRYPOINT [\"/bin/java\",\"-cp\",\"/opt/*\"]", "ENV PATH=/bin", "ENV A=b"),
                content.instructions());
    }

    @Test
    void whatIsMissingOrCutIsNamed() throws Exception {
        Files.delete(layout.resolve(LAYER));
        CheckFailed missing = assertThrows(CheckFailed.class, () -> PluginArchive.read(packed()));
        assertTrue(missing.expected().contains(LAYER), missing.expected());
        Path cut = directory.resolve("cut.tar");
        Files.write(cut, new byte[700]);
        CheckFailed empty = assertThrows(CheckFailed.class, () -> PluginArchive.read(cut));
        assertTrue(empty.expected().contains("index.json"), empty.expected());
    }
}
