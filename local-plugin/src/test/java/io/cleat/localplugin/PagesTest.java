package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PagesTest {
    private static List<Volume> volumes(int count) {
        return new ArrayList<>(IntStream.range(0, count)
                .mapToObj(i -> volume("id-" + i, "v" + i, i))
                .toList());
    }

    private static Volume volume(String id, String name, long order) {
        return Volume.created(
                new Kept.Label(id, name, order), VolumeType.DIRECTORY, Optional.empty(), Volume.Shape.of(0));
    }

    private static List<String> names(Pages<Volume> page) {
        return page.entries().stream().map(Volume::name).toList();
    }

    @Test
    void pagesFollowEachOtherToTheEnd() throws Exception {
        List<Volume> all = volumes(5);
        Pages<Volume> first = Pages.of(all, "", 2);
        Pages<Volume> second = Pages.of(all, first.next(), 2);
        Pages<Volume> third = Pages.of(all, second.next(), 2);
        assertEquals(List.of("v0", "v1"), names(first));
        assertEquals(List.of("v2", "v3"), names(second));
        assertEquals(List.of("v4"), names(third));
        assertEquals("", third.next());
    }

    @Test
    void aTokenSurvivesTheDeletionOfItsVolumeAndNewOnesComeLast() throws Exception {
        List<Volume> all = volumes(4);
        String token = Pages.of(all, "", 2).next();
        all.remove(1);
        all.remove(0);
        all.add(volume("id-0a", "new", 9));
        assertEquals(List.of("v2", "v3", "new"), names(Pages.of(all, token, 0)));
    }

    @Test
    void aPageOfExactlyAllIsTheLast() throws Exception {
        assertEquals("", Pages.of(volumes(3), "", 3).next());
    }

    @Test
    void aTokenOfSomebodyElseIsAborted() {
        for (String token : List.of("3", "after-", "after-x-y", "after-5")) {
            CallRefused refused = assertThrows(CallRefused.class, () -> Pages.of(volumes(1), token, 0));
            assertEquals(Status.Code.ABORTED, refused.code());
        }
    }

    @Test
    void aNegativeSizeIsInvalid() {
        CallRefused refused = assertThrows(CallRefused.class, () -> Pages.of(volumes(1), "", -1));
        assertEquals(Status.Code.INVALID_ARGUMENT, refused.code());
    }
}
