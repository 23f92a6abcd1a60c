package io.cleat.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** An image as {@code docker save} writes it, made of programs of this machine. */
final class TestImage {
    private static final Pattern LIBRARY = Pattern.compile("(/\\S+) \\(0x");
    private static final List<String> PROGRAMS = List.of(
            "sh",
            "cat",
            "env",
            "id",
            "sleep",
            "sort",
            "grep",
            "readlink",
            "ls",
            "stat",
            "true",
            "head",
            "tail",
            "tr",
            "seq",
            "stty",
            "tty",
            "rm",
            "dd",
            "kill",
            "mkdir",
            "touch",
            "yes",
            "wc",
            "mount",
            "chown",
            "setsid",
            "nohup");

    private final List<byte[]> layers = new ArrayList<>();
    private final String config;

    /** @param config what its configuration says of its program, in JSON */
    TestImage(String config) {
        this.config = config;
    }

    TestImage layer(Layer layer) throws IOException {
        layers.add(layer.bytes());
        return this;
    }

    /** With a shell, and what scripts of tests call, in its first layer. */
    static TestImage withShell(String config) throws Exception {
        return new TestImage(config).layer(programs());
    }

    static Layer programs() throws Exception {
        Layer layer = new Layer();
        TreeSet<Path> libraries = new TreeSet<>();
        for (String name : PROGRAMS) {
            Path program = find(name);
            layer.file("bin/" + name, 0755, 0, Files.readAllBytes(program));
            Process ldd = new ProcessBuilder("ldd", program.toString()).start();
            String said = new String(ldd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            ldd.waitFor();
            Matcher found = LIBRARY.matcher(said);
            while (found.find()) {
                libraries.add(Path.of(found.group(1)));
            }
        }
        for (Path library : libraries) {
            layer.file(library.toString().substring(1), 0755, 0, Files.readAllBytes(library));
        }
        return layer.file(
                        "etc/passwd",
                        0644,
                        0,
                        "root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\nweb:x:1234:2345::/home/web:/bin/sh\n"
                                .getBytes(StandardCharsets.UTF_8))
                .file(
                        "etc/group",
                        0644,
                        0,
                        "root:x:0:\nweb:x:2345:\nmore:x:3456:web\nnogroup:x:65534:\n".getBytes(StandardCharsets.UTF_8));
    }

    private static Path find(String name) {
        return List.of("/usr/bin/" + name, "/bin/" + name, "/usr/sbin/" + name).stream()
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("this machine has no " + name));
    }

    private static String hex(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (java.security.NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private byte[] configuration() {
        List<String> diffIds =
                layers.stream().map(each -> "\"sha256:" + hex(each) + "\"").toList();
        return ("{\"os\":\"linux\",\"config\":"
                        + config
                        + ",\"rootfs\":{\"type\":\"layers\",\"diff_ids\":["
                        + String.join(",", diffIds)
                        + "]}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** The files of {@code docker save}. */
    Map<String, byte[]> saved() {
        Map<String, byte[]> files = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        for (byte[] layer : layers) {
            String name = hex(layer) + "/layer.tar";
            names.add("\"" + name + "\"");
            files.put(name, layer);
        }
        byte[] configuration = configuration();
        String name = hex(configuration) + ".json";
        files.put(name, configuration);
        files.put(
                "manifest.json",
                ("[{\"Config\":\""
                                + name
                                + "\",\"RepoTags\":[\"test:1\"],\"Layers\":["
                                + String.join(",", names)
                                + "]}]")
                        .getBytes(StandardCharsets.UTF_8));
        return files;
    }

    /** The files of an OCI image layout, its layers packed by gzip. */
    Map<String, byte[]> layout() throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        List<String> descriptors = new ArrayList<>();
        for (byte[] layer : layers) {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (OutputStream gzip = new GZIPOutputStream(packed)) {
                gzip.write(layer);
            }
            descriptors.add(descriptor(packed.toByteArray(), files));
        }
        String manifest = "{\"schemaVersion\":2,\"config\":"
                + descriptor(configuration(), files)
                + ",\"layers\":["
                + String.join(",", descriptors)
                + "]}";
        files.put("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}".getBytes(StandardCharsets.UTF_8));
        files.put(
                "index.json",
                ("{\"schemaVersion\":2,\"manifests\":["
                                + descriptor(manifest.getBytes(StandardCharsets.UTF_8), files)
                                + "]}")
                        .getBytes(StandardCharsets.UTF_8));
        return files;
    }

    private static String descriptor(byte[] bytes, Map<String, byte[]> files) {
        files.put("blobs/sha256/" + hex(bytes), bytes);
        return "{\"digest\":\"sha256:" + hex(bytes) + "\",\"size\":" + bytes.length + "}";
    }

    /** Files as one archive. */
    static void archive(Map<String, byte[]> files, Path into) throws IOException {
        Layer all = new Layer();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            all.file(file.getKey(), 0644, 0, file.getValue());
        }
        Files.write(into, all.bytes());
    }

    /** Files as a directory. */
    static void directory(Map<String, byte[]> files, Path into) throws IOException {
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path path = into.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
    }

    /** A layer: a tar archive. */
    static final class Layer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes);

        Layer() {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
        }

        Layer file(String name, int mode, int owner, byte[] content) throws IOException {
            TarArchiveEntry entry = new TarArchiveEntry(name);
            entry.setSize(content.length);
            entry.setMode(mode);
            entry.setIds(owner, owner);
            // The same files are the same layer, whenever it is made.
            entry.setModTime(0);
            tar.putArchiveEntry(entry);
            tar.write(content);
            tar.closeArchiveEntry();
            return this;
        }

        Layer text(String name, String text) throws IOException {
            return file(name, 0644, 0, text.getBytes(StandardCharsets.UTF_8));
        }

        Layer directory(String name, int mode, int owner) throws IOException {
            TarArchiveEntry entry = new TarArchiveEntry(name + "/");
            entry.setMode(mode);
            entry.setIds(owner, owner);
            entry.setModTime(0);
            tar.putArchiveEntry(entry);
            tar.closeArchiveEntry();
            return this;
        }

        Layer link(String name, String target) throws IOException {
            TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
            entry.setLinkName(target);
            entry.setModTime(0);
            tar.putArchiveEntry(entry);
            tar.closeArchiveEntry();
            return this;
        }

        byte[] bytes() throws IOException {
            tar.close();
            return bytes.toByteArray();
        }
    }
}
