package io.cleat.artifact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.CompressorStreamFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives made to do harm: nothing of them is outside of the fresh tree, or without end. */
final class HostileArchivesTest {
    @TempDir
    Path directory;

    private Fetches fetches;
    private int count;

    @BeforeEach
    void begin() throws IOException {
        fetches = new Fetches(Files.createDirectory(directory.resolve("in")));
    }

    @AfterEach
    void end() {
        fetches.close();
    }

    private String refusalOf(byte[] archive, String ending) {
        String url = fetches.serve("/" + count++ + ending, archive);
        return fetches.failure(Fetches.artifact(url));
    }

    private Path unpacked(byte[] archive, String ending) throws Exception {
        return fetches.fetch(fetches.serve("/" + count++ + ending, archive));
    }

    @Test
    void namesThatLeadOutAreRefusedAndAbsoluteOnesLieInside() throws Exception {
        for (String name : new String[] {"../evil", "a/../../evil", "..", "a/.."}) {
            String tar = refusalOf(new Archives.Tar().file(name, 0644, "x").bytes(), ".tar");
            assertTrue(tar.contains("leads out of it"), tar);
            String zip = refusalOf(new Archives.Zip().entry(name, 0, "x").bytes(), ".zip");
            assertTrue(zip.contains("leads out of it"), zip);
        }
        assertFalse(Files.exists(directory.resolve("in/evil")));
        Path tree = unpacked(new Archives.Tar().file("/etc/evil", 0644, "x").bytes(), ".tar");
        assertEquals("x", Files.readString(tree.resolve("etc/evil")));
        assertFalse(Files.exists(Path.of("/etc/evil")));
    }

    @Test
    void nothingIsWrittenThroughALinkOfTheArchive() throws Exception {
        Path outside = Files.createDirectory(directory.resolve("outside"));
        String through = refusalOf(
                new Archives.Tar()
                        .link("way", outside.toString())
                        .file("way/evil", 0644, "x")
                        .bytes(),
                ".tar");
        assertTrue(through.contains("is a link and has entries below it"), through);
        String over = refusalOf(
                new Archives.Zip()
                        .entry("way", 0120777, outside + "/evil")
                        .entry("way/in", 0, "x")
                        .bytes(),
                ".zip");
        assertTrue(over.contains("is a link and has entries below it"), over);
        // The same name as a link before it: the file takes its place.
        Path tree = unpacked(
                new Archives.Tar()
                        .link("f", outside + "/evil")
                        .file("f", 0644, "mine")
                        .bytes(),
                ".tar");
        assertTrue(Files.isRegularFile(tree.resolve("f"), LinkOption.NOFOLLOW_LINKS));
        assertEquals(0, outside.toFile().list().length);
    }

    @Test
    void linksThatLeadOutAreRefusedHoweverTheyDoIt() throws Exception {
        for (String target : new String[] {"/etc/passwd", "../out", "d/../../out", ".."}) {
            String words = refusalOf(
                    new Archives.Tar().directory("d", 0755).link("l", target).bytes(), ".tar");
            assertTrue(words.contains("outside of it"), target + ": " + words);
        }
        String twoSteps = refusalOf(
                new Archives.Tar()
                        .directory("d", 0755)
                        .link("d/up", "..")
                        .link("l", "d/up/../out")
                        .bytes(),
                ".tar");
        assertTrue(twoSteps.contains("outside of it"), twoSteps);
        String round =
                refusalOf(new Archives.Tar().link("a", "b").link("b", "a").bytes(), ".tar");
        assertTrue(round.contains("outside of it"), round);
        String hard = refusalOf(
                new Archives.Tar().hardLink("l", "../../../etc/passwd").bytes(), ".tar");
        assertTrue(hard.contains("leads out of it"), hard);
        String ofLink =
                refusalOf(new Archives.Tar().link("s", "f").hardLink("h", "s").bytes(), ".tar");
        assertTrue(ofLink.contains("which is no file"), ofLink);
        Path fine = unpacked(
                new Archives.Tar()
                        .directory("d", 0755)
                        .link("d/up", "../f")
                        .file("f", 0644, "x")
                        .link("later", "not/there")
                        .bytes(),
                ".tar");
        assertEquals("x", Files.readString(fine.resolve("d/up")));
    }

    @Test
    void devicesFifosAndSetuidAreNotLetIn() throws Exception {
        byte[] kinds = {TarConstants.LF_CHR, TarConstants.LF_BLK, TarConstants.LF_FIFO};
        for (byte kind : kinds) {
            String words = refusalOf(new Archives.Tar().special("dev", kind, "").bytes(), ".tar");
            assertTrue(words.contains("only files, directories and links"), words);
        }
        String zip = refusalOf(new Archives.Zip().entry("dev", 0020666, "").bytes(), ".zip");
        assertTrue(zip.contains("only files, directories and links"), zip);
        Path tree = unpacked(
                new Archives.Tar().file("su", 06755, "x").directory("d", 07777).bytes(), ".tar");
        assertEquals(0100755, (int) Files.getAttribute(tree.resolve("su"), "unix:mode"));
        assertEquals(0040777, (int) Files.getAttribute(tree.resolve("d"), "unix:mode"));
    }

    @Test
    void aBombEndsAtTheLimit() throws Exception {
        byte[] bomb = new Archives.Tar().zeros("zeros", 64 << 20).gzipped();
        assertTrue(bomb.length < 1 << 20);
        String tar = refusalOf(bomb, ".tgz");
        assertTrue(tar.contains("-artifact-max-unpacked"), tar);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(new byte[64 << 20]);
        }
        String one = refusalOf(bytes.toByteArray(), ".gz");
        assertTrue(one.contains("-artifact-max-unpacked"), one);
    }

    @Test
    void aMillionEntriesEndAtTheLimitBeforeTheyAreRead() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.setLevel(0);
            for (int i = 0; i < 60_000; i++) {
                zip.putNextEntry(new ZipEntry(Integer.toString(i)));
            }
        }
        FetchLimits wide = new FetchLimits(
                Fetches.LIMITS.time(), 64 << 20, 100, 1 << 20, Long.MAX_VALUE, 1000, Fetches.LIMITS.patience());
        String zip = fetches.failure(Fetches.artifact(fetches.serve("/many.zip", bytes.toByteArray())), wide);
        assertTrue(zip.contains("-artifact-max-files"), zip);
        Archives.Tar tar = new Archives.Tar();
        for (int i = 0; i < 101; i++) {
            tar.file(Integer.toString(i), 0644, "");
        }
        String flat = refusalOf(tar.gzipped(), ".tgz");
        assertTrue(flat.contains("-artifact-max-files"), flat);
        // Directories that only names imply count too.
        String deep = refusalOf(
                new Archives.Tar().file("d/".repeat(150) + "f", 0644, "").gzipped(), ".tgz");
        assertTrue(deep.contains("-artifact-max-files"), deep);
        String deeper = refusalOf(
                new Archives.Tar().file("d/".repeat(300) + "f", 0644, "").gzipped(), ".tgz");
        assertTrue(deeper.contains("deeper than 200"), deeper);
    }

    /** Each is an entry of its own; none is written through the other. */
    @Test
    void namesThatDifferOnlyInCaseAreDifferentNames() throws Exception {
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Path tree = unpacked(
                new Archives.Tar()
                        .file("Readme", 0644, "upper")
                        .file("README", 0644, "all upper")
                        .directory("d", 0755)
                        .link("D", "d")
                        .file("d/f", 0644, "below")
                        .bytes(),
                ".tar");
        assertEquals("upper", Files.readString(tree.resolve("Readme")));
        assertEquals("all upper", Files.readString(tree.resolve("README")));
        assertTrue(Files.isDirectory(tree.resolve("d"), LinkOption.NOFOLLOW_LINKS));
        assertTrue(Files.isSymbolicLink(tree.resolve("D")));
        String away = refusalOf(
                new Archives.Tar()
                        .link("Way", outside.toString())
                        .file("way/evil", 0644, "x")
                        .bytes(),
                ".tar");
        assertTrue(away.contains("outside of it"), away);
        assertEquals(0, outside.toFile().list().length);
    }

    @Test
    void headersWithoutEndAreNotReadIntoMemory() throws Exception {
        // GNU's long name: an entry whose content is the name of the next.
        byte[] one = new Archives.Tar().zeros("././@LongLink", 32 << 20).bytes();
        one[156] = 'L';
        fixChecksum(one);
        String words = refusalOf(Archives.packed(one, CompressorStreamFactory.GZIP), ".tgz");
        assertTrue(words.contains("longer than 1 MiB"), words);
    }

    @Test
    void whatIsCutShortOrNoArchiveIsSaidSo() throws Exception {
        String content = "0123456789".repeat(5000);
        byte[] tar = new Archives.Tar().file("f", 0644, content).bytes();
        byte[] zip = new Archives.Zip().entry("f", 0, content).bytes();
        byte[] packed = Archives.packed(tar, CompressorStreamFactory.GZIP);
        byte[] xz = Archives.packed(tar, CompressorStreamFactory.XZ);
        byte[] flipped = packed.clone();
        // In the check sum (RFC 1952): elsewhere it may as well become an archive of strange
        // things.
        flipped[flipped.length - 8] ^= 0x55;
        String[] all = {
            refusalOf(Arrays.copyOf(tar, tar.length / 2), ".tar"),
            refusalOf(Arrays.copyOf(packed, packed.length / 2), ".tgz"),
            refusalOf(Arrays.copyOf(xz, xz.length / 2), ".txz"),
            refusalOf(Arrays.copyOf(zip, zip.length / 2), ".zip"),
            refusalOf(flipped, ".tgz"),
            refusalOf("<html>".getBytes(UTF_8), ".zip"),
            refusalOf("<html>".getBytes(UTF_8), ".gz"),
        };
        for (String words : all) {
            assertTrue(words.contains("cut short or no such archive"), words);
            assertTrue(words.contains("archive = false"), words);
        }
    }

    @Test
    void entriesThatContradictEachOtherAreRefused() throws Exception {
        String below = refusalOf(
                new Archives.Tar().file("f", 0644, "x").file("f/g", 0644, "x").bytes(), ".tar");
        assertTrue(below.contains("is a file and has entries below it"), below);
        String above = refusalOf(
                new Archives.Tar().file("d/g", 0644, "x").file("d", 0644, "x").bytes(), ".tar");
        assertTrue(above.contains("is a directory as well"), above);
        Path twice = unpacked(
                new Archives.Tar().file("f", 0644, "1").file("f", 0644, "2").bytes(), ".tar");
        assertEquals("2", Files.readString(twice.resolve("f")));
    }

    private static void fixChecksum(byte[] tar) {
        Arrays.fill(tar, 148, 156, (byte) ' ');
        int sum = 0;
        for (int i = 0; i < 512; i++) {
            sum += tar[i] & 0xff;
        }
        byte[] octal = String.format("%06o\0 ", sum).getBytes(UTF_8);
        System.arraycopy(octal, 0, tar, 148, octal.length);
    }
}
