import Foundation

extension AdminClient {
    /// Sends a form with a file, as a browser does.
    func send(
        _ path: String,
        _ form: [String: String],
        file: (field: String, name: String, text: String),
    ) async throws -> WireResponse {
        let boundary = "----WebKitFormBoundary7MA4YWxkTrZu0gW"
        var body = ""
        let fields = try await form.merging(["form": formCode()], uniquingKeysWith: { $1 })
        for (name, value) in fields {
            body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n"
            body += value + "\r\n"
        }
        body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(file.field)\"; "
        body += "filename=\"\(file.name)\"\r\nContent-Type: text/plain\r\n\r\n\(file.text)\r\n"
        body += "--\(boundary)--\r\n"
        return try await send(path, body, type: "multipart/form-data; boundary=\(boundary)")
    }

    private func send(_ path: String, _ body: String, type: String) async throws -> WireResponse {
        try await WireClient.secure(site) { client in
            try await client.send(
                "POST \(path) HTTP/1.1\r\nHost: localhost\r\nCookie: __Host-ota_admin=\(cookie)\r\n"
                    + "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
            )
            return try await client.response()
        }
    }
}
