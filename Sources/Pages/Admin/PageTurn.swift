/// Which part of a long list a page shows, and where the parts beside it are.
package struct PageTurn: Sendable {
    /// As in `31–60 of 10000`.
    let position: String
    let previousURL: String?
    let nextURL: String?

    /// Nil for a list that fits on one page.
    ///
    /// - Parameters:
    ///   - number: the page, counted from 1.
    ///   - length: how many stand on a page.
    ///   - total: how many there are.
    ///   - url: gives the address of a page by its number.
    package init?(number: Int, length: Int, total: Int, url: (Int) -> String) {
        guard total > length else { return nil }
        let first = (number - 1) * length + 1
        position = "\(first)–\(min(first + length - 1, total)) of \(total)"
        previousURL = number > 1 ? url(number - 1) : nil
        nextURL = number * length < total ? url(number + 1) : nil
    }
}
