package io.cleat.bench;

import io.cleat.base.Threads;
import io.cleat.wire.GrpcConnector;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Many nodes in a process of their own, over the wire that nodes of other processes use. */
final class Crowd implements AutoCloseable {
    /** Nodes that share a connection, each with a stream of its own. */
    private static final int EACH = 250;

    private final Process process;
    private final BufferedReader said;
    private int letIn;

    private Crowd(Process process) {
        this.process = process;
        this.said = process.inputReader();
    }

    /** @param socket where a server lets nodes in */
    static Crowd start(Path socket, int nodes) throws IOException {
        List<String> command = Jvm.server("4g");
        command.addAll(List.of(Crowd.class.getName(), socket.toString(), Integer.toString(nodes)));
        return new Crowd(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Waits until nodes were let in {@code times} since the start, all together. */
    void awaitLetIn(int times) throws IOException {
        while (letIn < times) {
            String line = said.readLine();
            if (line == null) {
                throw new IOException("the nodes' process has ended; " + letIn + " of " + times + " were let in");
            }
            letIn = Math.max(letIn, Integer.parseInt(line));
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** What the process runs: it says how often a node was let in, each time. */
    public static void main(String[] args) throws Exception {
        Threads threads = Threads.virtual(OwnProcess::endBy);
        AtomicInteger letIn = new AtomicInteger();
        int nodes = Integer.parseInt(args[1]);
        List<GrpcConnector> connectors = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            if (i % EACH == 0) {
                connectors.add(new GrpcConnector(Path.of(args[0])));
            }
            CrowdNode node = new CrowdNode(
                    ManyAllocations.node(i),
                    connectors.getLast(),
                    threads,
                    () -> System.out.println(letIn.incrementAndGet()));
            threads.vitalWork("crowd/node", node::run);
        }
        // Ends with the process that started it.
        System.in.transferTo(OutputStream.nullOutputStream());
        System.exit(0);
    }
}
