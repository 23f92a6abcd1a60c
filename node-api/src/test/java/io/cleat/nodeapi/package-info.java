@NullMarked
package io.cleat.nodeapi;

import org.jspecify.annotations.NullMarked;
