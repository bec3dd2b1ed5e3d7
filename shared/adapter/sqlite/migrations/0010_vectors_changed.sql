-- How often page_vectors was changed: readers that keep vectors see by it that theirs are old.
CREATE TABLE vectors_changed (times INTEGER NOT NULL);
INSERT INTO vectors_changed VALUES (0);
CREATE TRIGGER page_vectors_added AFTER INSERT ON page_vectors
	BEGIN UPDATE vectors_changed SET times = times + 1; END;
CREATE TRIGGER page_vectors_replaced AFTER UPDATE ON page_vectors
	BEGIN UPDATE vectors_changed SET times = times + 1; END;
CREATE TRIGGER page_vectors_removed AFTER DELETE ON page_vectors
	BEGIN UPDATE vectors_changed SET times = times + 1; END;
