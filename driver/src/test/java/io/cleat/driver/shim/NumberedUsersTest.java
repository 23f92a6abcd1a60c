package io.cleat.driver.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NumberedUsersTest {
    @TempDir
    Path etc;

    @Test
    void usersGroupsAndSubordinateIdsAreSomebodys() throws Exception {
        Files.writeString(etc.resolve("passwd"), "root:x:0:0::/:/bin/sh\nbad\nweb:x:70500:34::/:\n");
        Files.writeString(etc.resolve("group"), "web:x:34:\nshared:x:70600:root\n+:::\n");
        Files.writeString(etc.resolve("subuid"), "web:100000:65536\nodd:many:1\n");
        NumberedUsers users = NumberedUsers.of(etc);
        for (long id : List.of(0L, 34L, 70_500L, 70_600L, 100_000L, 165_535L)) {
            assertTrue(users.has(id), Long.toString(id));
        }
        for (long id : List.of(1L, 70_501L, 99_999L, 165_536L)) {
            assertFalse(users.has(id), Long.toString(id));
        }
        assertEquals(Optional.of("\"web\" in " + etc.resolve("passwd") + " has 70500"), users.holder(IdRange.USUAL));
        assertEquals(
                Optional.of("\"web\" in " + etc.resolve("subuid") + " has 100000 to 165535"),
                users.holder(new IdRange(165_535, 170_000)));
        assertEquals(Optional.empty(), users.holder(new IdRange(80_000, 99_999)));
    }

    @Test
    void aRangeIsTwoNumbersInOrderWithoutRoot() {
        assertEquals(Optional.of(new IdRange(1, 1)), IdRange.parse("1-1"));
        assertEquals(Optional.of(IdRange.USUAL), IdRange.parse(IdRange.USUAL.toString()));
        for (String none : List.of("", "7", "0-9", "9-8", "1-4294967295", "a-b", "1-2-3", " 1-2")) {
            assertEquals(Optional.empty(), IdRange.parse(none), none);
        }
    }
}
