import Bytes

/// The part of a long list on a page, and links to the other parts.
package struct PageTurn: Sendable {
    /// As in `31–60 of 10,000`.
    let position: String
    let previousURL: String?
    let nextURL: String?
    let numbers: [Number]

    /// A page, or a gap between two.
    struct Number: Sendable {
        let title: String
        /// Nil for the current page, and for a gap.
        let url: String?
        let isCurrent: Bool
    }

    /// Creates the links; nil for a list that fits on one page.
    ///
    /// - Parameters:
    ///   - number: the page number, from 1.
    ///   - length: items per page.
    ///   - total: the number of all items.
    ///   - url: returns the path of a page by its number.
    package init?(number: Int, length: Int, total: Int, url: (Int) -> String) {
        guard total > length else { return nil }
        let first = (number - 1) * length + 1
        let end = min(first + length - 1, total)
        position = "\(first.grouped)–\(end.grouped) of \(total.grouped)"
        previousURL = number > 1 ? url(number - 1) : nil
        nextURL = number * length < total ? url(number + 1) : nil
        let last = (total + length - 1) / length
        var shown: [Number] = []
        var before = 0
        // The first, the last, and those next to the current page.
        for page in 1...last where page == 1 || page == last || abs(page - number) <= 1 {
            if page - before == 2 {
                shown.append(Number(title: "\(page - 1)", url: url(page - 1), isCurrent: false))
            } else if page - before > 2 {
                shown.append(Number(title: "…", url: nil, isCurrent: false))
            }
            let isCurrent = page == number
            shown.append(
                Number(title: "\(page)", url: isCurrent ? nil : url(page), isCurrent: isCurrent)
            )
            before = page
        }
        numbers = shown
    }
}
