package io.cleat.log;

import java.nio.file.Path;
import java.util.concurrent.Semaphore;

/**
 * The program that {@link KillTest} kills: appends numbers without an end, sixteen at a time, and prints each one that
 * is told to be applied.
 */
final class KilledWriter {
    private KilledWriter() {}

    public static void main(String[] arguments) throws Exception {
        Recording recording = new Recording();
        RatisLog log = RatisLogTest.ratis(LogSettings.in(Path.of(arguments[0])), recording);
        log.start(recording);
        recording.awaitLeading();
        Semaphore room = new Semaphore(16);
        for (int i = Integer.parseInt(arguments[1]); ; i++) {
            room.acquire();
            String text = "number " + i;
            log.append(text.getBytes(java.nio.charset.StandardCharsets.UTF_8), outcome -> {
                if (outcome instanceof Outcome.Applied) {
                    System.out.println(text);
                }
                room.release();
            });
        }
    }
}
