package import Foundation

/// The answer to an installed app that asks whether there is a newer build.
package struct UpdateDocument: Codable, Equatable, Sendable {
    /// Where a copy asks; open wherever the install page is.
    package static let path = "/api/v1/apps/{app}/update"
    /// Bytes of the notes that a copy is shown.
    package static let notesLimit = 4096

    package var schema = 1
    /// The channel that the answer is about; nil where the app offers nothing.
    package let channel: String?
    /// The lowest version that may still be used; nil for any.
    package let minimumVersion: String?
    /// Whether the copy that asks is below it and ``update`` is what replaces it.
    package let mandatory: Bool
    /// What is newer and can be installed; nil where nothing is.
    package let update: Build?

    package init(channel: String?, minimumVersion: String?, mandatory: Bool, update: Build?) {
        self.channel = channel
        self.minimumVersion = minimumVersion
        self.mandatory = mandatory
        self.update = update
    }

    /// A newer build.
    package struct Build: Codable, Equatable, Sendable {
        package let version, build: String
        /// Markdown; longer notes than ``UpdateDocument/notesLimit`` end in an ellipsis.
        package let notes: String
        package let published: Date
        /// Bytes of its IPA.
        package let size: Int
        /// The least iOS version, as the build states it.
        package let minimumOS: String?
        /// Its install page.
        package let page: String
        /// What makes iOS ask whether to install it; nil where only the page may decide that.
        package let install: String?

        package init(
            version: String,
            build: String,
            notes: String,
            published: Date,
            size: Int,
            minimumOS: String?,
            page: String,
            install: String?,
        ) {
            self.version = version
            self.build = build
            self.notes = UpdateDocument.shortened(notes)
            self.published = published
            self.size = size
            self.minimumOS = minimumOS
            self.page = page
            self.install = install
        }
    }

    private static func shortened(_ notes: String) -> String {
        guard notes.utf8.count > notesLimit else { return notes }
        var text = ""
        var count = 0
        for character in notes {
            count += character.utf8.count
            guard count <= notesLimit - 3 else { break }
            text.append(character)
        }
        return text + "\u{2026}"
    }
}
