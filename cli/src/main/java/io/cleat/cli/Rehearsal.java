package io.cleat.cli;

import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/**
 * Runs the frequent verbs once, against an agent that answers next to nothing, so that the classes they need are in the
 * ahead-of-time cache. What they print is thrown away.
 */
public final class Rehearsal {
    private static final String JOB = """
            job "j" {
              group "g" {
                volume "v" {
                  type            = "csi"
                  source          = "s"
                  access_mode     = "single-node-writer"
                  attachment_mode = "file-system"
                }
                task "t" {
                  driver = "raw_exec"
                  config {
                    command = "true"
                    args    = ["${upper("a")}"]
                  }
                  volume_mount {
                    volume      = "v"
                    destination = "/v"
                  }
                }
              }
            }
            """;

    /** By the beginning of the request line; the first that fits. */
    private static final List<Map.Entry<String, String>> ANSWERS = List.of(
            Map.entry("GET /v1/jobs?", "[{\"ID\": \"j\", \"Namespace\": \"default\"}]"),
            Map.entry("GET /v1/job/j/summary", "{\"Summary\": {\"g\": {}}}"),
            Map.entry("GET /v1/job/j/allocations", "[{\"ID\": \"a\", \"TaskStates\": {}}]"),
            Map.entry("GET /v1/job/j/evaluations", "[{\"ID\": \"e\"}]"),
            Map.entry("GET /v1/job/j/deployments", "[{\"ID\": \"d\", \"TaskGroups\": {}}]"),
            Map.entry("GET /v1/job/j", "{\"ID\": \"j\", \"TaskGroups\": [{\"Tasks\": [{}]}]}"),
            Map.entry("GET /v1/volumes", "[{\"ID\": \"v\", \"Namespace\": \"default\"}]"),
            Map.entry("GET /v1/volume/csi/v/why", "{\"Claims\": [{}], \"Waiting\": [{}]}"),
            Map.entry("GET /v1/volume/csi/v", "{\"ID\": \"v\", \"Topologies\": [{}]}"),
            Map.entry("GET /v1/plugins", "[{\"ID\": \"p\"}]"),
            Map.entry("GET /v1/nodes", "[{\"ID\": \"n\"}]"),
            Map.entry("GET /v1/allocations", "[{\"ID\": \"a\", \"TaskStates\": {}}]"),
            Map.entry("PUT /v1/jobs", "{\"EvalID\": \"e\"}"),
            Map.entry("GET /v1/evaluation/e/allocations", "[{\"ID\": \"a\"}]"),
            Map.entry("GET /v1/evaluation/e", "{\"ID\": \"e\", \"Status\": \"complete\"}"));

    private static final List<String> LINES = List.of(
            "version",
            "-h",
            "job status",
            "job status j",
            "job run -",
            "volume status",
            "volume status v",
            "volume why v",
            "plugin status",
            "node status",
            "alloc status",
            "job status -json");

    private Rehearsal() {}

    /**
     * Runs them.
     *
     * @return 0 if each did what it does on a real agent
     */
    public static int play() throws IOException {
        int worst = 0;
        try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            Threads.virtual((thread, fault) -> fault.printStackTrace())
                    .vitalWork("rehearsal/agent", () -> serve(server));
            for (String line : LINES) {
                StringWriter out = new StringWriter();
                StringWriter err = new StringWriter();
                int code = new Cli(List.of())
                        .run(
                                List.of(line.split(" ", -1)),
                                new PrintWriter(out),
                                new PrintWriter(err),
                                environment(server));
                if (code != 0) {
                    System.err.println("rehearsal of \"" + line + "\" ended with " + code + "\n" + err);
                    worst = code;
                }
            }
        }
        return worst;
    }

    private static Environment environment(ServerSocket server) {
        return new Environment(
                Map.of("CLEAT_ADDR", "http://127.0.0.1:" + server.getLocalPort()),
                Path.of(""),
                StreamTerminal.withoutPerson(JOB.getBytes(StandardCharsets.UTF_8)),
                new SystemTime(),
                ZoneId.systemDefault(),
                Path.of("/nonexistent"));
    }

    /** Answers one request per connection until the server is closed. */
    private static void serve(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket connection = server.accept()) {
                answer(connection.getInputStream(), connection.getOutputStream());
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void answer(InputStream in, OutputStream out) throws IOException {
        String request = line(in);
        int length = 0;
        for (String field = line(in); !field.isEmpty(); field = line(in)) {
            if (field.startsWith("Content-Length: ")) {
                length = Integer.parseInt(field.substring(field.indexOf(' ') + 1));
            }
        }
        in.readNBytes(length);
        String body = "{}";
        for (Map.Entry<String, String> answer : ANSWERS) {
            if (request.startsWith(answer.getKey())) {
                body = answer.getValue();
                break;
            }
        }
        String head = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n";
        out.write((head + body).getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }
}
