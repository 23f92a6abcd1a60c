package io.cleat.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What another JVM with the serial collector has on its heap that something still refers to. */
final class LiveHeap {
    private static final Pattern USED = Pattern.compile("(?m)^(?:DefNew|Tenured) .* used (\\d+)K");
    private static final long KIBI = 1024;

    private LiveHeap() {}

    /**
     * Bytes, after a full collection.
     *
     * @throws IOException if the JVM does not say so
     */
    static long bytes(long pid) throws IOException, InterruptedException {
        jcmd(pid, "GC.run");
        Matcher used = USED.matcher(jcmd(pid, "GC.heap_info"));
        long sum = 0;
        int generations = 0;
        while (used.find()) {
            sum += Long.parseLong(used.group(1)) * KIBI;
            generations++;
        }
        if (generations != 2) {
            throw new IOException("process " + pid + " says nothing of its two generations");
        }
        return sum;
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        return Commands.output(List.of(program, Long.toString(pid), command));
    }
}
