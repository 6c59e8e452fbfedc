/// What an answer of Apple's may take.
package struct CallLimits: Sendable {
    /// Seconds within which the whole answer must arrive; Apple takes many for large profiles.
    package var seconds = 90
    /// Bytes of an answer, of which the largest is a page of 200 resources.
    package var bytes = 8 * 1024 * 1024

    package init() {}
}
