package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class EditTest {
    private static final UpdateStrategy GIVEN = new UpdateStrategy(null, true, 2, "", 3L, null, 4L, 5L, null);

    @Test
    void whatNobodyNamesStaysAsItIs() {
        assertEquals(GIVEN, Edit.of(GIVEN).done());
        assertEquals(
                new UpdateStrategy(null, true, null, "", 9L, null, 4L, 5L, null),
                Edit.of(GIVEN)
                        .set(UpdateStrategy::HealthyDeadline, 9L)
                        .set(UpdateStrategy::Canary, null)
                        .done());
    }

    @Test
    void defaultsStandForNullAndTheEmptyText() {
        assertEquals(
                new UpdateStrategy(false, true, 2, "checks", 3L, null, 4L, 5L, null),
                Edit.of(GIVEN)
                        .orElse(UpdateStrategy::AutoPromote, false)
                        .orElse(UpdateStrategy::AutoRevert, false)
                        .orElse(UpdateStrategy::Canary, 7)
                        .orElse(UpdateStrategy::HealthCheck, "checks")
                        .done());
    }

    @Test
    void whatIsGivenWinsOverTheOuterBlock() {
        assertEquals(
                new UpdateStrategy(false, true, 2, "", 3L, 1, 4L, 5L, 30_000_000_000L),
                Edit.over(PolicyDefaults.UPDATE, GIVEN));
        assertSame(PolicyDefaults.UPDATE, Edit.over(PolicyDefaults.UPDATE, null));
    }

    @Test
    void onlyAComponentCanBeNamed() {
        Edit<UpdateStrategy> edit = Edit.of(GIVEN);
        assertThrows(IllegalArgumentException.class, () -> edit.set(each -> each.Canary(), 1));
    }

    @Test
    void aPrimitiveComponentCannotBecomeNull() {
        Edit<Counted> edit = Edit.of(new Counted(1));
        assertThrows(
                IllegalArgumentException.class,
                () -> edit.set(Counted::number, null).done());
    }

    private record Counted(int number) {}
}
