package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.kernel.MountTable;
import io.cleat.model.Resources;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tasks of {@code exec} whose programs are an image's. */
@Timeout(60)
final class ExecImageTest {
    private static final String ID = "8c1b2d3e-0000-4000-8000-000000000001/web/0000000";

    @TempDir
    Path root;

    private @Nullable ExecGround ground;
    private int ids;

    @BeforeEach
    void begin() throws Exception {
        ground = new ExecGround(root, ExecSettings.STRICT, ExecGround.usualPath());
    }

    @AfterEach
    void end() throws Exception {
        if (ground != null) {
            ground.end();
        }
    }

    private ExecGround ground() {
        if (ground == null) {
            throw new IllegalStateException("no ground");
        }
        return ground;
    }

    private TaskConfig config(Map<String, Object> block, String user) {
        ids++;
        return ground().config(ID + ids, block, user, Resources.NONE, List.of());
    }

    /** What a task printed, which has ended well and is gone. */
    private String printed(Map<String, Object> block, String user) throws Exception {
        TaskHandle task = ground().driver().start(config(block, user));
        int code = ground().driver().await(task).exitCode();
        ground().driver().destroy(task);
        assertEquals(0, code, ground().output("stderr"));
        String all = ground().output("stdout");
        try (Stream<Path> logs = Files.list(root.resolve("logs"))) {
            for (Path log : logs.toList()) {
                Files.delete(log);
            }
        }
        return all;
    }

    private DriverTrouble refused(Map<String, Object> block) {
        TaskConfig config = config(block, "");
        DriverTrouble trouble =
                assertThrows(DriverTrouble.class, () -> ground().driver().start(config));
        assertEquals(Effect.NONE, trouble.effect());
        return trouble;
    }

    private static Map<String, Object> with(Map<String, Object> block, String key, Object value) {
        Map<String, Object> more = new HashMap<>(block);
        more.put(key, value);
        return more;
    }

    @Test
    void whatTheImageSays_isDone_unlessTheJobSaysOtherwise() throws Exception {
        TestImage image = TestImage.withShell("""
                        {"Entrypoint":["/bin/sh","-c"],"Cmd":["echo $A $B $(pwd) $(id -u -n):$(id -G) $HOME"],
                         "Env":["A=image","B=image","PATH=/bin"],"User":"web","WorkingDir":"/srv/../srv/app"}
                        """);
        TestImage.archive(image.layout(), root.resolve("task/local/oci.tar"));
        Map<String, Object> block = Map.of("image", "local/oci.tar");
        assertEquals("image image /srv/app web:2345 3456 /home/web\n", printed(block, ""));
        assertEquals(
                "/local root:0 hello world\n",
                printed(
                        Map.of(
                                "image",
                                "local/oci.tar",
                                "entrypoint",
                                List.of("sh"),
                                "args",
                                List.of("-c", "echo $(pwd) $(id -u -n):$(id -G) $GREETING"),
                                "work_dir",
                                "/local"),
                        "root"));
        assertEquals("7:8\n", printed(with(block, "command", "echo $(id -u):$(id -G)"), "7:8"));
        assertTrue(assertThrows(DriverTrouble.class, () -> ground().driver().start(config(block, "postgres")))
                .reason()
                .contains("the image has no user 'postgres'"));
    }

    @Test
    void layersHideWhatIsBelow_andWhatATaskWritesIsItsOwn() throws Exception {
        TestImage image = TestImage.withShell("{}")
                .layer(new TestImage.Layer()
                        .directory("a", 0755, 0)
                        .text("a/gone", "x")
                        .text("a/kept", "kept")
                        .directory("b", 0750, 1234)
                        .text("b/old", "x")
                        .text("c", "x"))
                .layer(new TestImage.Layer()
                        .text("a/.wh.gone", "")
                        .text("b/.wh..wh..opq", "")
                        .directory("b", 0700, 1234)
                        .text("b/new", "new")
                        .text(".wh.c", "")
                        .link("way", "/etc/passwd")
                        .file("suid", 04755, 0, new byte[0]));
        TestImage.archive(image.saved(), root.resolve("task/local/image.tar"));
        Map<String, Object> block = Map.of(
                "image",
                "local/image.tar",
                "command",
                "sh",
                "args",
                List.of(
                        "-c",
                        "ls -d /a/* /b/* /c 2>/dev/null; cat /a/kept /b/new;"
                                + " stat -c '%n %a %u' /b /suid; readlink /way;"
                                + " touch /mine; rm -r /a; ls -d /a /mine 2>/dev/null; true"));
        String expected = "/a/kept\n/b/new\nkeptnew/b 700 1234\n/suid 4755 0\n/etc/passwd\n/mine\n";
        assertEquals(expected, printed(block, "root"));
        assertEquals(expected, printed(block, "root"));
        try (Stream<Path> left = Files.list(root.resolve("task"))) {
            assertEquals(
                    List.of("local", "secrets", "tmp"),
                    left.map(path -> path.getFileName().toString()).sorted().toList());
        }
    }

    @Test
    void whatATaskWrites_liesInItsDirectory() throws Exception {
        TestImage.archive(TestImage.withShell("{}").saved(), root.resolve("task/local/image.tar"));
        TaskConfig config = config(
                Map.of(
                        "image",
                        "local/image.tar",
                        "command",
                        "sh",
                        "args",
                        List.of("-c", "echo here > /file; exec sleep 300")),
                "root");
        TaskHandle task = ground().driver().start(config);
        Path file = root.resolve("task/image-00000001/upper/file");
        Eventually.holds(() -> Files.exists(file) && Files.readString(file).equals("here\n"), "the task has written");
        Path mounted = root.toRealPath()
                .resolve("exec/containers")
                .resolve(ID.replace('/', '.') + "1")
                .resolve("rootfs");
        assertTrue(MountTable.read().at(mounted).orElseThrow().options().containsAll(List.of("nosuid", "nodev")));
        ground().driver().destroy(task);
        assertFalse(Files.exists(root.resolve("task/image-00000001"), LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void anImageOfARegistryIsPulledOnce_andIsThereThoughTheRegistryIsAway() throws Exception {
        Map<String, byte[]> files = TestImage.withShell("{\"Cmd\":[\"/bin/sh\",\"-c\",\"echo pulled\"]}")
                .layout();
        Set<String> asked = Collections.synchronizedSet(new TreeSet<>());
        HttpServer registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        registry.createContext("/v2/app/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            asked.add(path);
            String digest = path.substring(path.lastIndexOf(':') + 1);
            byte[] found =
                    path.endsWith("/manifests/1") ? files.get("index.json") : files.get("blobs/sha256/" + digest);
            exchange.sendResponseHeaders(found == null ? 404 : 200, found == null ? -1 : found.length);
            if (found != null) {
                exchange.getResponseBody().write(found);
            }
            exchange.close();
        });
        registry.start();
        try {
            String name = "127.0.0.1:" + registry.getAddress().getPort() + "/app:1";
            assertEquals("pulled\n", printed(Map.of("image", name), ""));
            int before = asked.size();
            assertEquals("pulled\n", printed(Map.of("image", name), ""));
            assertEquals(before, asked.size(), asked.toString());
            registry.stop(0);
            ground().makeStore();
            ground().make(ExecSettings.STRICT, ExecGround.usualPath());
            assertEquals("pulled\n", printed(Map.of("image", name), ""));
        } finally {
            registry.stop(0);
        }
    }

    @Test
    void whatIsNoImage_isSaid_andLeavesNothing() throws Exception {
        Map<String, Object> block = Map.of("image", "local/image.tar", "command", "true");
        assertTrue(refused(block).reason().contains("nothing is there"), "absent");
        Files.writeString(root.resolve("task/local/image.tar"), "no archive".repeat(100));
        assertTrue(refused(block).reason().contains("it is no tar archive"), "text");
        Files.delete(root.resolve("task/local/image.tar"));
        Files.createSymbolicLink(root.resolve("task/local/image.tar"), Path.of("/etc/passwd"));
        assertTrue(refused(block).reason().contains("neither a file nor a directory"), "link");
        Map<String, byte[]> files = new HashMap<>(TestImage.withShell("{}").saved());
        String layer = files.keySet().stream()
                .filter(name -> name.endsWith(".tar"))
                .findAny()
                .orElseThrow();
        byte[] damaged = files.getOrDefault(layer, new byte[0]).clone();
        damaged[3000] ^= 1;
        files.put(layer, damaged);
        TestImage.directory(files, root.resolve("task/local/damaged"));
        String why = refused(with(block, "image", "local/damaged")).reason();
        assertTrue(why.contains("is damaged or another: expected sha256:"), why);
        assertTrue(refused(with(block, "image", "/etc/image.tar")).reason().contains("-exec-image-path"));
        assertTrue(refused(with(block, "image", "local/../secrets/x")).reason().contains("path of plain names"));
        for (String empty : List.of("images/fresh", "images/layers")) {
            try (Stream<Path> left = Files.list(root.resolve(empty))) {
                assertEquals(List.of(), left.toList());
            }
        }
    }
}
