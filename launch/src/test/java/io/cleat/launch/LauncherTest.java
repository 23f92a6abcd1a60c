package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's script in a tree of its own, with a program that prints its arguments for Java. */
class LauncherTest {
    private static final Path ROOT = Path.of(System.getProperty("cleat.root", ".."));

    @TempDir
    Path tree = Path.of("");

    private final Map<String, String> variables = new LinkedHashMap<>();

    private record Ran(int code, String out, String err) {}

    @BeforeEach
    void makeTree() throws IOException {
        for (String directory : new String[] {"scripts", "shim", "m/src/main", "examples", "build/lib.1"}) {
            Files.createDirectories(tree.resolve(directory));
        }
        for (String file :
                new String[] {"cleat", "scripts/build.sh", "scripts/heap.sh", "scripts/jdk.sh", "scripts/shim.sh"}) {
            Files.copy(ROOT.resolve(file), tree.resolve(file));
        }
        Files.createFile(tree.resolve("pom.xml"));
        Files.createFile(tree.resolve("m/pom.xml"));
        Path java = tree.resolve("build/jdk/bin/java");
        Files.createDirectories(java.getParent());
        Files.createFile(tree.resolve("build/jdk/release"));
        Files.writeString(java, "#!/bin/bash\nprintf '%s\\n' \"$@\"\n");
        assertTrue(java.toFile().setExecutable(true));
        Files.writeString(
                tree.resolve("build/launch.env"),
                "CLEAT_JAVA=%s\nCLEAT_LIB=%s\nCLEAT_CLASSPATH=a.jar:b.jar\n"
                        .formatted(java, tree.resolve("build/lib.1")));
        Files.createFile(tree.resolve("build/stamp"));
        Files.setLastModifiedTime(
                tree.resolve("build/stamp"), FileTime.from(Instant.now().plusSeconds(60)));
    }

    private Ran runWith(String path, String... args) throws IOException, InterruptedException {
        Path out = tree.resolve("build/out");
        Path err = tree.resolve("build/err");
        ProcessBuilder builder = new ProcessBuilder();
        builder.command().add("/bin/bash");
        builder.command().add(tree.resolve("cleat").toString());
        builder.command().addAll(List.of(args));
        builder.environment().clear();
        builder.environment().putAll(variables);
        builder.environment().put("PATH", path);
        Process process = builder.redirectInput(
                        ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        int code = process.waitFor();
        return new Ran(
                code, Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }

    private Ran run(String... args) throws IOException, InterruptedException {
        return runWith("/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", args);
    }

    @Test
    void whatIsFreshRunsAtOnceWithTheFlagsOfItsRole() throws Exception {
        Files.createFile(tree.resolve("build/lib.1/help.aot"));
        Ran version = run("version");
        assertEquals("", version.err());
        assertEquals(0, version.code());
        assertTrue(version.out().contains("-XX:AOTCache=" + tree + "/build/lib.1/help.aot\n"), version.out());
        assertTrue(version.out().contains("-Xmx64m\n"), version.out());
        assertTrue(version.out().endsWith("-cp\na.jar:b.jar\nio.cleat.launch.Main\nversion\n"), version.out());
        Ran status = run("job", "status", "a b");
        assertTrue(status.out().endsWith("io.cleat.launch.Main\njob\nstatus\na b\n"), status.out());
        assertTrue(!status.out().contains("AOTCache"), status.out());
    }

    /** It ran the jars of the place where it was built, as root, or did not start. */
    @Test
    void aTreeThatWasCopied_runsItsOwnJars(@TempDir Path copy) throws Exception {
        Path jars = Files.createDirectories(tree.resolve("build/lib.1"));
        for (String jar : List.of("a b.jar", "c.jar")) {
            Files.createFile(jars.resolve(jar));
        }
        String written = "root=$0; build=$0/build; JAVA_HOME=$build/jdk; . \"$root/scripts/build.sh\";"
                + " write_settings \"$build/lib.1\" >\"$build/launch.env\";"
                + " cp -a \"$0/.\" \"$1\"; rm -r \"$build/lib.1\"";
        assertEquals(
                0,
                new ProcessBuilder("/bin/bash", "-c", written, tree.toString(), copy.toString())
                        .inheritIO()
                        .start()
                        .waitFor());
        Process process = new ProcessBuilder("/bin/bash", copy.resolve("cleat").toString(), "version")
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String own = copy + "/build/lib.1/";
        assertTrue(out.contains("\n" + own + "a b.jar:" + own + "c.jar\n"), out);
    }

    @Test
    void whatIsAbsentIsNamedAllAtOnce() throws Exception {
        Path few = Files.createDirectory(tree.resolve("few"));
        for (String tool : new String[] {"find", "readlink", "mktemp", "rm", "grep"}) {
            Path found = Path.of("/usr/bin", tool);
            Files.createSymbolicLink(few.resolve(tool), Files.exists(found) ? found : Path.of("/bin", tool));
        }
        Files.setLastModifiedTime(
                tree.resolve("m/src/main"), FileTime.from(Instant.now().plusSeconds(120)));
        Ran demo = runWith(few.toString(), "demo");
        assertEquals(1, demo.code());
        assertEquals("", demo.out());
        assertTrue(
                demo.err().contains("Maven (3.8 or newer) was not found.\n  to get it: apt-get install maven\n"),
                demo.err());
        assertTrue(demo.err().contains("A C compiler (looked for 'cc') was not found"), demo.err());
        assertTrue(demo.err().contains("apt-get install gcc libc6-dev"), demo.err());
        Ran version = runWith(few.toString(), "version");
        assertEquals(1, version.code());
        assertTrue(version.err().contains("Maven"), version.err());
        assertTrue(!version.err().contains("C compiler"), version.err());
    }

    @Test
    void whatWasBuiltRunsThoughTheSourcesAreNewerWhenAskedTo() throws Exception {
        Files.setLastModifiedTime(
                tree.resolve("m/src/main"), FileTime.from(Instant.now().plusSeconds(120)));
        variables.put("CLEAT_BUILD", "never");
        Ran version = run("version");
        assertEquals("", version.err());
        assertTrue(version.out().endsWith("version\n"), version.out());
    }

    /** The check has built them; a second Maven would write over what its tests run from. */
    @Test
    void theJarsOfACheckAreLaidOutWithoutMaven() throws Exception {
        Path jdk = tree.resolve("build/jdk");
        Files.createSymbolicLink(jdk.resolve("bin/javac"), jdk.resolve("bin/java"));
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        Path maven = Files.createDirectory(tree.resolve("few")).resolve("mvn");
        Files.writeString(maven, "#!/bin/bash\necho Maven was called >&2\nexit 1\n");
        assertTrue(maven.toFile().setExecutable(true));
        Path own = Files.createDirectories(tree.resolve("launch/target"));
        Files.createFile(own.resolve("launch-0.1.0.jar"));
        Path jars = Files.createDirectory(tree.resolve("jars"));
        Files.createFile(jars.resolve("other.jar"));
        Files.createFile(jars.resolve("local-plugin.classpath"));
        FileTime begun = FileTime.from(Instant.parse("2100-01-02T00:00:00Z"));
        Files.setLastModifiedTime(Files.createFile(jars.resolve("begun")), begun);
        Files.setLastModifiedTime(tree.resolve("m/src/main"), FileTime.from(Instant.parse("2100-01-01T00:00:00Z")));
        variables.put("JAVA_HOME", jdk.toString());
        variables.put("CLEAT_JARS", jars.toString());
        Ran version = runWith(maven.getParent() + ":/usr/bin:/bin", "version");
        assertEquals(0, version.code(), version.err());
        assertTrue(version.err().contains("with the jars of " + jars), version.err());
        Path lib = tree.resolve("build/lib.1");
        assertTrue(version.out().contains("-cp\n" + lib + "/launch-0.1.0.jar:" + lib + "/other.jar\n"), version.out());
        // What was changed while they were built is built the next time.
        assertEquals(begun, Files.getLastModifiedTime(tree.resolve("build/stamp")));
    }

    /** What the script of heaps says, on a machine of {@code kib} whose control group may have less. */
    private String heap(long kib, String version, String limit) throws Exception {
        Path machine = Files.createTempDirectory(tree, "machine");
        Path self = Files.createDirectories(machine.resolve("proc/self"));
        Files.writeString(machine.resolve("proc/meminfo"), "MemTotal:  " + kib + " kB\nMemFree: 1 kB\n");
        boolean isNew = version.equals("2");
        Files.writeString(self.resolve("cgroup"), isNew ? "0::/a/b\n" : "9:cpu:/x\n4:memory:/a/b\n0::/\n");
        Path group = machine.resolve(isNew ? "groups/a" : "groups/memory/a");
        Files.createDirectories(group.resolve("b"));
        Files.writeString(group.resolve(isNew ? "memory.max" : "memory.limit_in_bytes"), limit + "\n");
        Process process = new ProcessBuilder(
                        "/bin/bash",
                        "-euc",
                        ". scripts/heap.sh; proc=$0/proc cgroups=$0/groups; agent_heap; echo $heap",
                        machine.toString())
                .directory(tree.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        return said.strip();
    }

    @Test
    void theHeapIsAQuarterOfTheMemoryThereIs() throws Exception {
        assertEquals("2048m", heap(8L << 20, "2", "max"));
        assertEquals("1024m", heap(8L << 20, "2", "" + (4L << 30)));
        assertEquals("1024m", heap(8L << 20, "1", "" + (4L << 30)));
        assertEquals("2048m", heap(8L << 20, "1", "9223372036854771712"));
        assertEquals("256m", heap(512L << 10, "2", "max"));
        assertEquals("30720m", heap(1L << 30, "2", "max"));
    }

    @Test
    void theHeapIsWhatIsAskedFor() throws Exception {
        Path shim = Files.createFile(tree.resolve("build/shim"));
        assertTrue(shim.toFile().setExecutable(true));
        Files.setLastModifiedTime(shim, FileTime.from(Instant.now().plusSeconds(60)));
        Ran asked = run("agent", "-heap=3g");
        assertTrue(asked.out().contains("-Xmx3072m\n"), asked.err());
        variables.put("CLEAT_HEAP", "300m");
        assertTrue(run("agent").out().contains("-Xmx300m\n"));
        assertTrue(run("agent", "-heap", "500m").out().contains("-Xmx500m\n"));
        assertTrue(run("job", "status").out().contains("-Xmx64m\n"));
        for (String wrong : List.of("-heap=31g", "-heap=1m", "-heap=much", "-heap=")) {
            Ran refused = run("agent", wrong);
            assertEquals(1, refused.code(), refused.out());
            assertTrue(refused.err().contains("expected a size from 64m to 30g"), refused.err());
            assertEquals("", refused.out());
        }
    }
}
