/** Tests of the routes without sockets, and of the server with them. */
@NullMarked
package io.cleat.http.routes;

import org.jspecify.annotations.NullMarked;
