@NullMarked
package io.cleat.clusterapi;

import org.jspecify.annotations.NullMarked;
