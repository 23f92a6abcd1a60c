package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import java.util.List;
import org.junit.jupiter.api.Test;

/** For how long a takeover is in work. */
class TakeoverTest {
    private static final Time TIME = new SystemTime();

    private final AgentFixture.Notes notes = new AgentFixture.Notes();
    private final Takeover takeover = Takeover.begin(notes, "a", TIME);

    @Test
    void itIsThroughOnceTheLastTaskIsSettled() {
        takeover.tasks(List.of("x", "y"));
        takeover.settled("x");
        takeover.settled("x");
        takeover.settled("unknown");
        assertEquals(List.of("begin allocation a"), notes.noted);
        takeover.settled("y");
        assertEquals(List.of("begin allocation a", "end allocation a"), notes.noted);
    }

    @Test
    void itIsThroughOnce() {
        takeover.through();
        takeover.tasks(List.of("x"));
        takeover.settled("x");
        takeover.through();
        assertEquals(List.of("begin allocation a", "end allocation a"), notes.noted);
    }

    @Test
    void oneOfANewAllocationIsNotNoted() {
        Takeover none = Takeover.none("b", TIME);
        none.tasks(List.of("x"));
        none.settled("x");
        assertEquals(List.of("begin allocation a"), notes.noted);
    }
}
