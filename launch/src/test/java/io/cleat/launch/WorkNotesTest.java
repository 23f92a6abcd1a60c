package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was in work when agents ended. Each {@link #start} without an end before it is unclean. */
final class WorkNotesTest {
    private static final String A = "evaluation a";
    private static final String B = "evaluation b";

    @TempDir
    Path directory;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final PrintStream err = new PrintStream(said, true, StandardCharsets.UTF_8);

    private WorkNotes start() {
        WorkNotes notes = new WorkNotes(directory);
        notes.begin(err);
        return notes;
    }

    private byte[] file() throws Exception {
        return Files.readAllBytes(directory.resolve(WorkNotes.FILE));
    }

    /** A start that is killed while it works on that. */
    private void killedAt(String what) {
        start().begin(what);
    }

    @Test
    void whatWasInWorkAtTwoUncleanEndsInARow_isQuarantined_andSaid() {
        start();
        killedAt(A);
        killedAt(A);
        WorkNotes notes = start();
        assertTrue(notes.isQuarantined(A));
        assertFalse(notes.isQuarantined(B));
        assertTrue(said.toString(StandardCharsets.UTF_8).contains(A + " is quarantined"));
        // It stays so if that start ends before it could fail it.
        assertTrue(start().isQuarantined(A));
    }

    @Test
    void afterAnUncleanEnd_fewAreInWorkAtOnce_andOneWhereSomethingWas_untilAStartHasLasted() {
        assertEquals(Integer.MAX_VALUE, start().mostAtOnce());
        WorkNotes afterNothing = start();
        assertEquals(WorkNotes.SIDE_BY_SIDE, afterNothing.mostAtOnce());
        afterNothing.begin(A);
        WorkNotes afterWork = start();
        assertEquals(1, afterWork.mostAtOnce());
        afterWork.settled();
        assertEquals(Integer.MAX_VALUE, afterWork.mostAtOnce());
        afterWork.inOrder(err);
        assertEquals(Integer.MAX_VALUE, start().mostAtOnce());
    }

    @Test
    void ofThoseThatWereInWorkTogether_onlyTheOneOfTheNextEndIsQuarantined() {
        start();
        WorkNotes together = start();
        together.begin(A);
        together.begin(B);
        WorkNotes oneByOne = start();
        oneByOne.begin(A);
        oneByOne.end(A);
        oneByOne.begin(B);
        WorkNotes notes = start();
        assertFalse(notes.isQuarantined(A));
        assertTrue(notes.isQuarantined(B));
    }

    @Test
    void anEndInOrder_forgetsQuarantine() {
        start();
        killedAt(A);
        killedAt(A);
        WorkNotes notes = start();
        assertTrue(notes.isQuarantined(A));
        notes.inOrder(err);
        assertFalse(start().isQuarantined(A));
    }

    @Test
    void differentWork_isNotQuarantined() {
        start();
        killedAt(A);
        killedAt(B);
        killedAt(A);
        WorkNotes notes = start();
        assertFalse(notes.isQuarantined(A));
        assertFalse(notes.isQuarantined(B));
    }

    @Test
    void workThatWasDoneBeforeTheEnd_isNotQuarantined() {
        start();
        for (int i = 0; i < 2; i++) {
            WorkNotes notes = start();
            notes.begin(A);
            notes.end(A);
        }
        assertFalse(start().isQuarantined(A));
    }

    @Test
    void anEndInOrderBetween_beginsAnew() {
        start();
        killedAt(A);
        start().inOrder(err);
        assertFalse(Files.exists(directory.resolve(WorkNotes.FILE)));
        start();
        killedAt(A);
        assertFalse(start().isQuarantined(A));
    }

    @Test
    void aStartThatLastedBetween_beginsAnew_butNotForWhatIsStillInWork() {
        start();
        killedAt(A);
        start().settled();
        killedAt(A);
        assertFalse(start().isQuarantined(A));

        killedAt(B);
        WorkNotes lasting = start();
        lasting.begin(B);
        lasting.settled();
        assertTrue(start().isQuarantined(B));
    }

    @Test
    void afterAnEndInOrder_nothingIsWrittenUntilAFault() throws Exception {
        WorkNotes notes = start();
        byte[] untouched = file();
        notes.begin(A);
        assertArrayEquals(untouched, file());
        notes.keep();
        killedAt(A);
        assertTrue(start().isQuarantined(A));
    }

    @Test
    void onceAStartHasLasted_nothingIsWrittenAnyMore() throws Exception {
        start();
        WorkNotes notes = start();
        notes.begin(A);
        notes.settled();
        notes.end(A);
        byte[] settled = file();
        notes.begin(B);
        assertArrayEquals(settled, file());
        assertEquals("cleat-in-work 1\n", new String(settled, StandardCharsets.UTF_8));
    }

    @Test
    void aDamagedFile_quarantinesNothing_andKeepsNoAgentDown() throws Exception {
        for (String damaged : new String[] {
            "",
            "cleat-in-work 2\nnow evaluation a\nbefore evaluation a\n",
            "cleat-in-work 1\nnow evaluation a\nbefore evaluation a",
            "cleat-in-work 1\nnow evaluation a\nbefore evaluation a\n\u0000\n",
            "cleat-in-work 1\nnow evaluation a\nbefore evaluation a\nnow " + "x".repeat(70_000) + "\n"
        }) {
            Files.writeString(directory.resolve(WorkNotes.FILE), damaged);
            assertFalse(start().isQuarantined(A), damaged);
            killedAt(A);
            killedAt(A);
            assertTrue(start().isQuarantined(A), "counted anew after it");
        }
    }

    @Test
    void theSampleOfVersionOneIsRead() throws Exception {
        try (InputStream sample = WorkNotesTest.class.getResourceAsStream("/history/in-work-1")) {
            Files.write(
                    directory.resolve(WorkNotes.FILE),
                    Objects.requireNonNull(sample).readAllBytes());
        }
        WorkNotes notes = start();
        assertTrue(notes.isQuarantined(A));
        assertFalse(notes.isQuarantined(B));
        assertTrue(notes.isQuarantined("evaluation c"));
    }
}
