package io.cleat.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Deadline;
import io.cleat.base.Sha256;
import io.cleat.base.SystemTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Layers become trees, and such that are made to do harm are refused in words. */
final class LayerUnpackingTest {
    private static final UnpackLimits LIMITS = new UnpackLimits(Duration.ofMinutes(1), 100 << 20, 1000, 200);

    @TempDir
    Path directory;

    @BeforeEach
    void needRoot() {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")), "reason: only root gives files to others");
    }

    /** A layer that is written entry by entry. */
    private static final class Tar {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes);

        Tar() {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_STAR);
        }

        Tar entry(String name, byte type, Consumer<TarArchiveEntry> more, String content) throws IOException {
            byte[] body = content.getBytes(StandardCharsets.UTF_8);
            TarArchiveEntry entry = new TarArchiveEntry(name, type, true);
            entry.setSize(body.length);
            more.accept(entry);
            tar.putArchiveEntry(entry);
            tar.write(body);
            tar.closeArchiveEntry();
            return this;
        }

        Tar file(String name, String content) throws IOException {
            return entry(name, TarConstants.LF_NORMAL, entry -> {}, content);
        }

        Tar link(String name, byte type, String target) throws IOException {
            return entry(name, type, entry -> entry.setLinkName(target), "");
        }

        byte[] bytes() throws IOException {
            tar.close();
            return bytes.toByteArray();
        }
    }

    private static Digest digest(byte[] bytes) {
        MessageDigest digest = Sha256.begin();
        digest.update(bytes);
        return Digest.of(digest);
    }

    private List<String> unpack(byte[] packed, Digest diffId, Path into) throws Exception {
        return LayerUnpacking.unpack(
                new BytesBlob(packed),
                new ImageManifest.Layer("layer.tar", Optional.empty()),
                diffId,
                into,
                new UnpackMeter(LIMITS, Deadline.in(new SystemTime(), LIMITS.time())));
    }

    private String refusal(byte[] packed) {
        Path into = directory.resolve("tree" + System.nanoTime());
        return assertThrows(ArtifactTrouble.class, () -> unpack(packed, digest(packed), into))
                .reason();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        }
        return packed.toByteArray();
    }

    private static String look(Path path) throws IOException {
        return "%o %s:%s"
                .formatted(
                        (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS),
                        Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS),
                        Files.getAttribute(path, "unix:gid", LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void ownersModesAndWhatIsHiddenAreKept() throws Exception {
        Consumer<TarArchiveEntry> owned = entry -> {
            entry.setIds(1234, 70_000_000);
            entry.setMode(04751);
            entry.setModTime(1_000_000_000_000L);
        };
        byte[] tar = new Tar()
                .entry("d/", TarConstants.LF_DIR, owned, "")
                .entry("d/program", TarConstants.LF_NORMAL, owned, "x")
                .entry("d/link", TarConstants.LF_SYMLINK, owned.andThen(e -> e.setLinkName("/etc/passwd")), "")
                .entry("d/pipe", TarConstants.LF_FIFO, owned, "")
                .link("same", TarConstants.LF_LINK, "d/program")
                .file("d/.wh.gone", "")
                .file("new/.wh..wh..opq", "")
                .file("new/in", "in")
                .file(".wh.new2", "")
                .file("new2/x", "")
                .entry("dev/null", TarConstants.LF_CHR, entry -> {}, "")
                .file("é".repeat(100) + "/ü", "long")
                .bytes();
        for (byte[] packed : List.of(tar, gzip(tar))) {
            Path into = directory.resolve("tree" + packed.length);
            assertEquals(List.of("dev/null"), unpack(packed, digest(tar), into));
            assertEquals("104751 1234:70000000", look(into.resolve("d/program")));
            assertEquals("44751 1234:70000000", look(into.resolve("d")));
            assertEquals("14751 1234:70000000", look(into.resolve("d/pipe")));
            assertEquals("120777 1234:70000000", look(into.resolve("d/link")));
            assertEquals(Path.of("/etc/passwd"), Files.readSymbolicLink(into.resolve("d/link")));
            assertTrue(Files.isSameFile(into.resolve("same"), into.resolve("d/program")));
            assertEquals(
                    1_000_000_000L,
                    Files.getLastModifiedTime(into.resolve("d")).toInstant().getEpochSecond());
            assertEquals("20000 0:0", look(into.resolve("d/gone")));
            assertEquals(
                    List.of("overlay.opaque"), attributes(into.resolve("new")).list());
            assertEquals(
                    List.of("overlay.opaque"), attributes(into.resolve("new2")).list());
            assertEquals("long", Files.readString(into.resolve("é".repeat(100) + "/ü")));
            assertFalse(Files.exists(into.resolve("dev/null")));
        }
    }

    private static UserDefinedFileAttributeView attributes(Path path) {
        return Files.getFileAttributeView(path, UserDefinedFileAttributeView.class);
    }

    @Test
    void whatLeadsOutIsRefused() throws Exception {
        for (String name : List.of("../evil", "a/../../evil", "..")) {
            String why = refusal(new Tar().file(name, "x").bytes());
            assertTrue(why.contains("leads out of it"), why);
        }
        byte[] through = new Tar()
                .link("way", TarConstants.LF_SYMLINK, directory.toString())
                .file("way/evil", "x")
                .bytes();
        assertTrue(refusal(through).contains("\"way/evil\" lies below \"way\", which is a link"));
        Files.writeString(directory.resolve("secret"), "x");
        for (String target : List.of("way/secret", "/etc/passwd", "absent", "way")) {
            byte[] hard = new Tar()
                    .link("way", TarConstants.LF_SYMLINK, directory.toString())
                    .link("mine", TarConstants.LF_LINK, target)
                    .bytes();
            assertTrue(refusal(hard).contains("which is no file of the layer"), target);
        }
        assertFalse(Files.exists(directory.resolve("evil")));
        String hidden = refusal(new Tar().file("a/.wh...", "").bytes());
        assertTrue(hidden.contains("hides nothing that has a name"), hidden);
    }

    @Test
    void whatHasNoEndIsRefused() throws Exception {
        byte[] bomb = gzip(new Tar().file("zeros", "\0".repeat(40 << 20)).bytes());
        assertTrue(refusal(bomb).contains("more than 200 times its"), refusal(bomb));
        String deep = refusal(new Tar().file("d/".repeat(201) + "f", "").bytes());
        assertTrue(deep.contains("deeper than 200"), deep);
        String wide = refusal(new Tar().file("n".repeat(256), "").bytes());
        assertTrue(wide.contains("more than 255 bytes"), wide);
        String path = refusal(new Tar()
                .file(("n".repeat(200) + "/").repeat(16) + "f", "")
                .bytes());
        assertTrue(path.contains("more than 3,000 characters"), path);
        Tar many = new Tar();
        for (int i = 0; i < 1001; i++) {
            many.file("f" + i, "");
        }
        assertTrue(refusal(many.bytes()).contains("more than 1000 entries"));
        Tar large = new Tar();
        for (int i = 0; i < 11; i++) {
            large.file("f" + i, "0123456789".repeat(1 << 20));
        }
        assertTrue(refusal(large.bytes()).contains("more than 104857600 bytes unpacked"));
        // As a writer would have it that makes such names.
        byte[] name = new Tar()
                .entry("././@LongLink", TarConstants.LF_GNUTYPE_LONGNAME, entry -> {}, "n".repeat(2 << 20))
                .bytes();
        assertTrue(refusal(name).contains("1 MiB is the most that is read"), refusal(name));
    }

    @Test
    void whatIsDamagedIsRefused() throws Exception {
        byte[] tar = new Tar().file("a", "content".repeat(200)).file("b", "x").bytes();
        for (int cut : new int[] {100, 600, 1500, 2100}) {
            assertTrue(refusal(Arrays.copyOf(tar, cut)).contains("cut short"), "cut at " + cut);
        }
        byte[] packed = gzip(tar);
        assertTrue(refusal(Arrays.copyOf(packed, packed.length - 9)).contains("cut short"));
        byte[] flipped = tar.clone();
        flipped[0] ^= 1;
        assertTrue(refusal(flipped).contains("a header's checksum is wrong"));
        Path into = directory.resolve("tree");
        ArtifactTrouble other = assertThrows(ArtifactTrouble.class, () -> unpack(tar, digest(packed), into));
        assertTrue(other.reason().contains("expected sha256:"), other.reason());
    }
}
