package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.Rows;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ListQueryTest {
    private static Answer<Rows<String>> page(ListQuery query, List<String> rows) {
        return query.page(
                rows::stream, Function.identity(), Function.identity(), Function.identity(), AnswerMeta.ofLeader(7));
    }

    private static ListQuery query(Filter filter, int perPage, String token, boolean reverse) {
        return new ListQuery(ReadQuery.now("default"), "", filter, perPage, token, reverse);
    }

    @Test
    void aPageEndsWithTheTokenOfTheNextItem() {
        Answer<Rows<String>> first = page(query(Filter.ALL, 2, "", false), List.of("a", "b", "c"));
        assertEquals(List.of("a", "b"), first.body().toList());
        assertEquals("c", first.meta().nextToken());
        Answer<Rows<String>> second = page(query(Filter.ALL, 2, "c", false), List.of("a", "b", "c"));
        assertEquals(List.of("c"), second.body().toList());
        assertEquals("", second.meta().nextToken());
    }

    @Test
    void aFullLastPageHasNoToken() {
        assertEquals(
                "",
                page(query(Filter.ALL, 2, "", false), List.of("a", "b")).meta().nextToken());
    }

    @Test
    void aReversedListBeginsAtItsTokenToo() {
        assertEquals(
                List.of("b", "a"),
                page(query(Filter.ALL, 0, "b", true), List.of("c", "b", "a"))
                        .body()
                        .toList());
    }

    @Test
    void whatTheFilterLeavesOutDoesNotCount() {
        Filter notB = object -> !object.get().equals("b");
        Answer<Rows<String>> answer = page(query(notB, 2, "", false), List.of("a", "b", "c", "d"));
        assertEquals(List.of("a", "c"), answer.body().toList());
        assertEquals("d", answer.meta().nextToken());
    }

    @Test
    void tokensOfCreationAreInTheOrderOfTheirIndexes() {
        assertTrue(ListQuery.creationToken(9, "z").compareTo(ListQuery.creationToken(10, "a")) < 0);
        assertTrue(ListQuery.creationToken(Long.MAX_VALUE, "a").compareTo(ListQuery.creationToken(10, "a")) > 0);
    }

    /** Of a long page the rows are not kept: it is walked twice, and is the same both times. */
    @Test
    void aPageLongerThanWhatIsKeptIsWalkedAgain() {
        List<String> rows =
                IntStream.range(10_000, 15_000).mapToObj(String::valueOf).toList();
        Filter even = object -> Integer.parseInt(String.valueOf(object.get())) % 2 == 0;
        Answer<Rows<String>> answer = page(query(even, 2000, "10100", false), rows);
        List<String> wanted = rows.stream()
                .filter(row -> row.compareTo("10100") >= 0)
                .filter(row -> Integer.parseInt(row) % 2 == 0)
                .toList();
        assertEquals(wanted.subList(0, 2000), answer.body().toList());
        assertEquals(wanted.subList(0, 2000), answer.body().toList());
        assertEquals(wanted.get(2000), answer.meta().nextToken());
    }

    @Test
    void nothingIsMadeBeforeItIsRead() {
        AtomicInteger made = new AtomicInteger();
        Answer<Rows<String>> answer = query(Filter.ALL, 0, "", false)
                .page(
                        () -> Stream.of("a", "b", "c"),
                        Function.identity(),
                        Function.identity(),
                        row -> row + made.incrementAndGet(),
                        AnswerMeta.ofLeader(7));
        assertEquals(0, made.get());
        assertEquals("a1", answer.body().first().orElseThrow());
        assertEquals(1, made.get());
    }
}
