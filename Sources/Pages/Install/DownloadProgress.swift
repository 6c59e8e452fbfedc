import Foundation

/// A running download, on the page and in the events that update it.
package struct DownloadProgress: Encodable, Sendable {
    /// 0 to 100.
    let percent: String
    let text: String

    /// - Parameters:
    ///   - fetched: bytes that the device has.
    ///   - size: bytes of the IPA.
    ///   - words: the page's language.
    package init(fetched: Int, of size: Int, in words: Words) {
        let fetched = min(max(0, fetched), size)
        percent = "\(size > 0 ? fetched * 100 / size : 0)"
        text = words.text(
            "download.progress",
            ["fetched": words.size(fetched), "size": words.size(size)],
        )
    }

    /// The progress as one line of JSON.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
