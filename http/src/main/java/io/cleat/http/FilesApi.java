package io.cleat.http;

import io.cleat.api.FileEntry;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.List;

/**
 * The files of the allocations on this node. Paths begin at an allocation's directory; one that would leave it, one in
 * a task's {@code secrets} or {@code private}, and one that leads over a symbolic link is refused. Any thread may call.
 */
public interface FilesApi {
    /** What is in a directory, by name. */
    List<FileEntry> list(String allocId, String path) throws Refused, Trouble, InterruptedException;

    /** One entry; a symbolic link itself, not what it points to. */
    FileEntry stat(String allocId, String path) throws Refused, Trouble, InterruptedException;

    /** Opens a regular file. */
    PieceReader read(FileQuery query) throws Refused, Trouble, InterruptedException;
}
