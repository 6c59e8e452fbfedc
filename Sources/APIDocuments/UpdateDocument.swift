package import Foundation

/// The response to an installed app that asks for a newer build.
package struct UpdateDocument: Codable, Equatable, Sendable {
    /// The path of the request; it needs no more rights than the install page.
    package static let path = "/api/v1/apps/{app}/update"
    /// The maximum size of the notes in bytes.
    package static let notesLimit = 4096

    package var schema = 1
    /// The channel to which the response applies; nil if the app offers nothing.
    package let channel: String?
    /// The lowest version that may still be used; nil for any.
    package let minimumVersion: String?
    /// Whether the installed version is below it and ``update`` replaces it.
    package let mandatory: Bool
    /// The newer build that can be installed; nil if there is none.
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
        /// Markdown; notes longer than ``UpdateDocument/notesLimit`` are cut and end in an ellipsis.
        package let notes: String
        package let published: Date
        /// The size of its IPA in bytes.
        package let size: Int
        /// The minimum iOS version that the build declares.
        package let minimumOS: String?
        /// The URL of its install page.
        package let page: String
        /// The URL that makes iOS offer to install it; nil if only the page may decide that.
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
