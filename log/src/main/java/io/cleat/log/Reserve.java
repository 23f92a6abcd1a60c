package io.cleat.log;

import io.cleat.base.Time;
import java.io.IOException;
import java.time.Duration;

/**
 * What is kept free of the log's file system: in the first three quarters of it, only what ends or frees something goes
 * on; in the last quarter, nothing. Any thread.
 */
final class Reserve {
    /** Of files, beside the bytes of the settings. */
    private static final long FILES = 1024;

    private static final long OPENING = 2L * LogSettings.ENTRY_BYTES;
    private static final long OPENING_FILES = 16;
    private static final long MEBI = 1 << 20;

    /** What can be written in between is less than any sane reserve. */
    private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();

    /** What surely fails tells so by itself. */
    private static final Room.Left UNKNOWN = new Room.Left(Long.MAX_VALUE, Long.MAX_VALUE);

    private final LogSettings settings;
    private final Room room;
    private final Time time;
    private volatile Room.Left seen = UNKNOWN;
    private volatile long seenAt;

    Reserve(LogSettings settings, Room room, Time time) {
        this.settings = settings;
        this.room = room;
        this.time = time;
        this.seenAt = time.nanos() - LOOK_NANOS;
    }

    /** Whether it is in use. */
    boolean isTouched() {
        return isTouched(left());
    }

    private boolean isTouched(Room.Left left) {
        return left.bytes() < settings.reserveBytes() || left.files() < FILES;
    }

    /** Whether nothing is to be written any more. */
    boolean isUsedUp() {
        Room.Left left = left();
        return left.bytes() < settings.lastBytes() || left.files() < FILES / 4;
    }

    /** Whether a log that ran out of room has enough of it again to be opened. */
    boolean canOpen() {
        return isLeft(Math.max(settings.lastBytes(), OPENING), FILES / 4);
    }

    /** Whether there is what opening a log writes: a vote, a segment's begin, a configuration. */
    boolean canBegin() {
        return isLeft(OPENING, OPENING_FILES);
    }

    private boolean isLeft(long bytes, long files) {
        try {
            Room.Left left = room.left(settings.directory());
            return left.bytes() >= bytes && left.files() >= files;
        } catch (IOException unknown) {
            return false;
        }
    }

    /** Which file system it is, what is free of it, and what is wanted. */
    String words() {
        String name = "the file system of " + settings.directory();
        try {
            Room.Left left = room.left(settings.directory());
            return left.files() < FILES
                    ? name + " (" + left.files() + " files more, at least " + FILES + " are wanted)"
                    : name
                            + " ("
                            + left.bytes() / MEBI
                            + " MiB free, at least "
                            + (settings.reserveBytes() + MEBI - 1) / MEBI
                            + " MiB are wanted)";
        } catch (IOException unknown) {
            return name;
        }
    }

    private Room.Left left() {
        long now = time.nanos();
        if (now - seenAt >= LOOK_NANOS || isTouched(seen)) {
            seenAt = now;
            try {
                seen = room.left(settings.directory());
            } catch (IOException unknown) {
                seen = UNKNOWN;
            }
        }
        return seen;
    }
}
