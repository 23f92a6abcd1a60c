package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ListQueryTest {
    private static Answer<List<String>> page(ListQuery query, List<String> rows) {
        return query.page(
                rows.iterator(),
                Function.identity(),
                Function.identity(),
                Function.identity(),
                AnswerMeta.ofLeader(7));
    }

    private static ListQuery query(Filter filter, int perPage, String token, boolean reverse) {
        return new ListQuery(ReadQuery.now("default"), "", filter, perPage, token, reverse);
    }

    @Test
    void aPageEndsWithTheTokenOfTheNextItem() {
        Answer<List<String>> first = page(query(Filter.ALL, 2, "", false), List.of("a", "b", "c"));
        assertEquals(List.of("a", "b"), first.body());
        assertEquals("c", first.meta().nextToken());
        Answer<List<String>> second =
                page(query(Filter.ALL, 2, "c", false), List.of("a", "b", "c"));
        assertEquals(List.of("c"), second.body());
        assertEquals("", second.meta().nextToken());
    }

    @Test
    void aFullLastPageHasNoToken() {
        assertEquals(
                "", page(query(Filter.ALL, 2, "", false), List.of("a", "b")).meta().nextToken());
    }

    @Test
    void aReversedListBeginsAtItsTokenToo() {
        assertEquals(
                List.of("b", "a"),
                page(query(Filter.ALL, 0, "b", true), List.of("c", "b", "a")).body());
    }

    @Test
    void whatTheFilterLeavesOutDoesNotCount() {
        Filter notB = object -> !object.get().equals("b");
        Answer<List<String>> answer = page(query(notB, 2, "", false), List.of("a", "b", "c", "d"));
        assertEquals(List.of("a", "c"), answer.body());
        assertEquals("d", answer.meta().nextToken());
    }

    @Test
    void tokensOfCreationAreInTheOrderOfTheirIndexes() {
        assertTrue(ListQuery.creationToken(9, "z").compareTo(ListQuery.creationToken(10, "a")) < 0);
        assertTrue(
                ListQuery.creationToken(Long.MAX_VALUE, "a")
                                .compareTo(ListQuery.creationToken(10, "a"))
                        > 0);
    }
}
